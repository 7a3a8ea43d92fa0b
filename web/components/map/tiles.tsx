// Pictures of the ground from a tile server, where one is configured. Tiles that don't come leave the outline visible.
import { project, type Size, TILE_SIZE, type View } from './projection.ts';

type TilesProps = {
  /** With {z}, {x} and {y} in it. */
  url: string;
  view: View;
  size: Size;
};

/** What servers mostly offer. */
const NEAREST = 18;

/** @returns the numbers of the tiles between two pixels of the world */
function between(from: number, to: number, side: number, last: number): number[] {
  const first = Math.max(0, Math.floor(from / side));
  const count = Math.min(last, Math.floor(to / side)) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index);
}

export function Tiles({ url, view, size }: TilesProps) {
  const zoom = Math.min(NEAREST, Math.round(view.zoom));
  const side = TILE_SIZE * 2 ** (view.zoom - zoom);
  const middle = project(view.centre, view.zoom);
  const left = middle.x - size.width / 2;
  const top = middle.y - size.height / 2;
  const last = 2 ** zoom - 1;
  const columns = between(left, left + size.width, side, last);
  const rows = between(top, top + size.height, side, last);
  return columns.flatMap((x) =>
    rows.map((y) => (
      <image
        key={`${zoom}/${x}/${y}`}
        href={url.replace('{z}', `${zoom}`).replace('{x}', `${x}`).replace('{y}', `${y}`)}
        x={x * side - left}
        y={y * side - top}
        width={side}
        height={side}
        preserveAspectRatio="none"
        className="pointer-events-none"
      />
    )),
  );
}
