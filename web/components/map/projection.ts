// Web Mercator projection, as map tiles use it. Pixels are CSS pixels, y grows downwards.

/** Degrees, WGS 84. */
export type Position = { latitude: number; longitude: number };
export type Point = { x: number; y: number };
export type Size = { width: number; height: number };
/** Centre and zoom of a map. One zoom level doubles the scale. */
export type View = { centre: Position; zoom: number };

export const TILE_SIZE = 256;
/** From a continent to a courtyard. */
const NEAREST = 19;
const FARTHEST = 4;
/** Limit of Web Mercator. */
const MOST_LATITUDE = 85.05;
/** Radius of Web Mercator's sphere, metres. */
const EARTH_RADIUS_M = 6_378_137;

const worldSize = (zoom: number) => TILE_SIZE * 2 ** zoom;
const between = (least: number, value: number, most: number) =>
  Math.min(most, Math.max(least, value));

/** @returns pixels from the north-west corner of the world */
export function project({ latitude, longitude }: Position, zoom: number): Point {
  const sine = Math.sin((latitude * Math.PI) / 180);
  const size = worldSize(zoom);
  return {
    x: (longitude / 360 + 0.5) * size,
    y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size,
  };
}

/** Inverse of {@link project}; points outside the world are clamped to its edge. */
export function unproject({ x, y }: Point, zoom: number): Position {
  const size = worldSize(zoom);
  const latitude = (Math.atan(Math.sinh((0.5 - y / size) * 2 * Math.PI)) * 180) / Math.PI;
  return {
    latitude: between(-MOST_LATITUDE, latitude, MOST_LATITUDE),
    longitude: between(-180, (x / size - 0.5) * 360, 180),
  };
}

/** @returns metres per pixel at this latitude */
export function metresPerPixel(latitude: number, zoom: number): number {
  const circumference = 2 * Math.PI * EARTH_RADIUS_M * Math.cos((latitude * Math.PI) / 180);
  return circumference / worldSize(zoom);
}

/** @returns the zoom at which the distance covers the given pixels */
export function zoomFor(metres: number, pixels: number, latitude: number): number {
  return limitZoom(Math.log2((metresPerPixel(latitude, 0) * pixels) / metres));
}

export const limitZoom = (zoom: number) => between(FARTHEST, zoom, NEAREST);

/** @returns pixels from the map's top left corner */
export function toPoint(position: Position, view: View, size: Size): Point {
  const middle = project(view.centre, view.zoom);
  const { x, y } = project(position, view.zoom);
  return { x: x - middle.x + size.width / 2, y: y - middle.y + size.height / 2 };
}

/** Inverse of {@link toPoint}. */
export function positionAt(point: Point, view: View, size: Size): Position {
  const middle = project(view.centre, view.zoom);
  return unproject(
    { x: middle.x + point.x - size.width / 2, y: middle.y + point.y - size.height / 2 },
    view.zoom,
  );
}

/** @returns the view after dragging the map by these pixels */
export function dragged({ centre, zoom }: View, by: Point): View {
  const { x, y } = project(centre, zoom);
  return { centre: unproject({ x: x - by.x, y: y - by.y }, zoom), zoom };
}

/** @returns the view at another zoom, with the position under `point` fixed */
export function zoomedAt(view: View, zoom: number, point: Point, size: Size): View {
  const fixed = positionAt(point, view, size);
  const zoomed = { centre: view.centre, zoom: limitZoom(zoom) };
  const moved = toPoint(fixed, zoomed, size);
  return dragged(zoomed, { x: point.x - moved.x, y: point.y - moved.y });
}

/** @returns the view that fits both corners with a margin */
export function fitView(corners: readonly [Position, Position], size: Size): View {
  const [a, b] = corners.map((corner) => project(corner, 0));
  if (!a || !b) throw new RangeError('Two corners make a view.');
  const room = 0.94;
  const scale = Math.min(
    (size.width * room) / Math.abs(a.x - b.x),
    (size.height * room) / Math.abs(a.y - b.y),
  );
  return {
    centre: unproject({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, 0),
    zoom: limitZoom(Math.log2(scale)),
  };
}

/**
 * The scale bar.
 * @param most maximum length in pixels
 * @returns a round number of metres (1, 2 or 5 times a power of ten), and its length in pixels
 */
export function scaleBar({ centre, zoom }: View, most: number) {
  const perPixel = metresPerPixel(centre.latitude, zoom);
  const power = 10 ** Math.floor(Math.log10(perPixel * most));
  const metres = power * ([5, 2].find((times) => times * power <= perPixel * most) ?? 1);
  return { metres, pixels: metres / perPixel };
}
