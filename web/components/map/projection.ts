// The arithmetic of the map: Web Mercator, as map tiles use it. Pixels are CSS pixels, y grows downwards.

/** Degrees, WGS 84. */
export type Position = { latitude: number; longitude: number };
export type Point = { x: number; y: number };
export type Size = { width: number; height: number };
/** What a map shows: the position in its middle, and how near. One more doubles every length. */
export type View = { centre: Position; zoom: number };

export const TILE_SIZE = 256;
/** A continent to a courtyard. */
const NEAREST = 19;
const FARTHEST = 4;
/** Where Web Mercator ends. */
const MOST_LATITUDE = 85.05;
/** Of the sphere that Web Mercator takes the earth for, metres. */
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

/** The way back from {@link project}; a point beyond the world becomes one at its edge. */
export function unproject({ x, y }: Point, zoom: number): Position {
  const size = worldSize(zoom);
  const latitude = (Math.atan(Math.sinh((0.5 - y / size) * 2 * Math.PI)) * 180) / Math.PI;
  return {
    latitude: between(-MOST_LATITUDE, latitude, MOST_LATITUDE),
    longitude: between(-180, (x / size - 0.5) * 360, 180),
  };
}

/** @returns metres on the ground that one pixel covers at this latitude */
export function metresPerPixel(latitude: number, zoom: number): number {
  const circumference = 2 * Math.PI * EARTH_RADIUS_M * Math.cos((latitude * Math.PI) / 180);
  return circumference / worldSize(zoom);
}

/** @returns the zoom at which so many metres cover so many pixels */
export function zoomFor(metres: number, pixels: number, latitude: number): number {
  return limitZoom(Math.log2((metresPerPixel(latitude, 0) * pixels) / metres));
}

export const limitZoom = (zoom: number) => between(FARTHEST, zoom, NEAREST);

/** @returns where on the map a position lies, from its upper left corner */
export function pointOf(position: Position, view: View, size: Size): Point {
  const middle = project(view.centre, view.zoom);
  const { x, y } = project(position, view.zoom);
  return { x: x - middle.x + size.width / 2, y: y - middle.y + size.height / 2 };
}

/** The way back from {@link pointOf}. */
export function positionAt(point: Point, view: View, size: Size): Position {
  const middle = project(view.centre, view.zoom);
  return unproject(
    { x: middle.x + point.x - size.width / 2, y: middle.y + point.y - size.height / 2 },
    view.zoom,
  );
}

/** @returns the view after the map was pulled by so many pixels */
export function pulled({ centre, zoom }: View, by: Point): View {
  const { x, y } = project(centre, zoom);
  return { centre: unproject({ x: x - by.x, y: y - by.y }, zoom), zoom };
}

/** @returns the view at another zoom in which the position under `point` stays where it is */
export function zoomedAt(view: View, zoom: number, point: Point, size: Size): View {
  const kept = positionAt(point, view, size);
  const zoomed = { centre: view.centre, zoom: limitZoom(zoom) };
  const moved = pointOf(kept, zoomed, size);
  return pulled(zoomed, { x: point.x - moved.x, y: point.y - moved.y });
}

/** @returns the view that holds both corners with a little room around */
export function viewOf(corners: readonly [Position, Position], size: Size): View {
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
 * The bar that tells the scale.
 * @param most pixels that it may be long
 * @returns a round number of metres (1, 2 or 5 times a power of ten), and its length in pixels
 */
export function scaleBar({ centre, zoom }: View, most: number) {
  const perPixel = metresPerPixel(centre.latitude, zoom);
  const power = 10 ** Math.floor(Math.log10(perPixel * most));
  const metres = power * ([5, 2].find((times) => times * power <= perPixel * most) ?? 1);
  return { metres, pixels: metres / perPixel };
}
