/** The entry of the page. */

import { createRoot } from "react-dom/client";
import { TalkPage } from "./pages/TalkPage";
import "./styles/page.css";

const place = document.getElementById("root");
if (place !== null) createRoot(place).render(<TalkPage />);
