/** What the ways of drawing words mean. */

export function Legend() {
  return (
    <p className="legend">
      <span className="heard">heard</span>
      <span className="saying">being said</span>
      <span className="ahead">not yet said</span>
      <del className="never">never said</del>
    </p>
  );
}
