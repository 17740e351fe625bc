/** Shows one state of the page (`?state=name`), or the list of all. Never part of the product. */

import { createRoot } from "react-dom/client";
import { TalkView } from "../pages/TalkView";
import { SCENES } from "./scenes";
import "../styles/page.css";

const FACE = "/gallery-face.png";

function hangPicture(element: HTMLVideoElement): () => void {
  element.poster = FACE;
  return () => {
    element.poster = "";
  };
}

function Gallery() {
  const scene = SCENES[new URLSearchParams(window.location.search).get("state") ?? ""];
  if (scene !== undefined) {
    return <TalkView {...scene} hangFace={hangPicture} hangSelf={hangPicture} />;
  }
  return (
    <main>
      <h1>States of the talk page</h1>
      <ul>
        {Object.keys(SCENES).map((name) => (
          <li key={name}>
            <a href={`?state=${name}`}>{name}</a>
          </li>
        ))}
      </ul>
    </main>
  );
}

const place = document.getElementById("root");
if (place !== null) createRoot(place).render(<Gallery />);
