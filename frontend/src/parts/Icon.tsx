/** Line icons, drawn for this page. They only accompany words. */

const PATHS = {
  microphone: "M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3Z M6 11a6 6 0 0 0 12 0 M12 17v4",
  muted:
    "M9 6a3 3 0 0 1 6 0v5a3 3 0 0 1-.4 1.5 M9 9v2a3 3 0 0 0 4 2.8 M6 11a6 6 0 0 0 9.5 4.9 M18 11a6 6 0 0 1-.6 2.6 M12 17v4 M4 4l16 16",
  camera:
    "M4 7.5A1.5 1.5 0 0 1 5.500 6h8A1.500 1.500 0 0 1 15 7.500v9a1.500 1.500 0 0 1-1.500 1.500h-8A1.500 1.500 0 0 1 4 16.500Z M15 11l5-3v8l-5-3",
  screen:
    "M4 6a1 1 0 0 1 1-1h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1Z M9 20h6 M12 16v4 M12 13V8 M9.500 10.500 12 8l2.500 2.500",
  hold: "M8 12V6.500a1.500 1.500 0 0 1 3 0V11 M11 10.500v-5a1.500 1.500 0 0 1 3 0V11 M14 11V7a1.500 1.500 0 0 1 3 0v7a6 6 0 0 1-6 6 6 6 0 0 1-5-2.700L3.800 14a1.500 1.500 0 0 1 2.400-1.700L8 14",
  captions:
    "M4 6.500A1.500 1.500 0 0 1 5.500 5h13A1.500 1.500 0 0 1 20 6.500v11a1.500 1.500 0 0 1-1.500 1.500h-13A1.500 1.500 0 0 1 4 17.500Z M10.500 10.500a2 2 0 1 0 0 3 M16.500 10.500a2 2 0 1 0 0 3",
  devices: "M4 7h10 M18 7h2 M4 17h2 M10 17h10 M16 5v4 M8 15v4",
  leave: "M14 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h8 M11 12h9 M16.500 8.500 20 12l-3.500 3.500",
  send: "M5 12h13 M12.500 6.500 18 12l-5.500 5.500",
  sound: "M5 10v4h3l4 3.500v-11L8 10Z M15.500 9a4 4 0 0 1 0 6 M18 6.500a8 8 0 0 1 0 11",
  warning: "M12 4 3.500 19h17Z M12 10v4 M12 16.500v.500",
  keyboard: "M4 7h16v10H4Z M7.500 10.500h.500 M11.800 10.500h.500 M16 10.500h.500 M8.500 14h7",
  close: "M6 6l12 12 M18 6 6 18",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
