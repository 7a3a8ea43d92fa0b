// Against known figures, and each function against its inverse.
import { describe, expect, it } from 'vitest';
import {
  dragged,
  fitView,
  metresPerPixel,
  positionAt,
  project,
  scaleBar,
  toPoint,
  unproject,
  zoomedAt,
  zoomFor,
} from './projection.ts';

const monrovia = { latitude: 6.3005, longitude: -10.7969 };
const size = { width: 600, height: 400 };
const view = { centre: monrovia, zoom: 14 };

/** Metres between two positions on the sphere (haversine), computed independently. */
function distance(a: typeof monrovia, b: typeof monrovia): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const h =
    Math.sin(rad(b.latitude - a.latitude) / 2) ** 2 +
    Math.cos(rad(a.latitude)) *
      Math.cos(rad(b.latitude)) *
      Math.sin(rad(b.longitude - a.longitude) / 2) ** 2;
  return 2 * 6_378_137 * Math.asin(Math.sqrt(h));
}

describe('projecting', () => {
  it('puts the equator at Greenwich in the middle of the world', () => {
    expect(project({ latitude: 0, longitude: 0 }, 0)).toEqual({ x: 128, y: 128 });
  });

  it('finds the tile in which Monrovia lies', () => {
    const { x, y } = project(monrovia, 12);
    expect([Math.floor(x / 256), Math.floor(y / 256)]).toEqual([1925, 1976]);
  });

  it.each([0, 7.3, 19])('and back gives the same position at zoom %d', (zoom) => {
    const back = unproject(project(monrovia, zoom), zoom);
    expect(back.latitude).toBeCloseTo(monrovia.latitude, 9);
    expect(back.longitude).toBeCloseTo(monrovia.longitude, 9);
  });

  it('clamps points outside the world to its edge', () => {
    expect(unproject({ x: -50, y: -50 }, 0)).toEqual({ latitude: 85.05, longitude: -180 });
  });
});

describe('metres', () => {
  it('are 156,543.03 to a pixel at the equator and zoom 0', () => {
    expect(metresPerPixel(0, 0)).toBeCloseTo(156_543.034, 3);
  });

  it('halve with each zoom, and shrink with the cosine of the latitude', () => {
    expect(metresPerPixel(0, 10) / metresPerPixel(0, 11)).toBe(2);
    expect(metresPerPixel(60, 5) / metresPerPixel(0, 5)).toBeCloseTo(0.5, 12);
  });

  it('of a radius are to scale in every direction', () => {
    const radius = 250 / metresPerPixel(monrovia.latitude, view.zoom);
    for (const [x, y] of [
      [radius, 0],
      [0, radius],
      [-radius / Math.SQRT2, radius / Math.SQRT2],
    ] as const) {
      const edge = positionAt({ x: 300 + x, y: 200 + y }, view, size);
      expect(distance(monrovia, edge)).toBeCloseTo(250, 1);
    }
  });

  it('choose a zoom at which they fill so many pixels', () => {
    const zoom = zoomFor(400, 160, monrovia.latitude);
    expect(400 / metresPerPixel(monrovia.latitude, zoom)).toBeCloseTo(160, 6);
    expect(zoomFor(1, 1000, 0)).toBe(19);
    expect(zoomFor(1e9, 10, 0)).toBe(4);
  });

  it.each([
    [6, 200_000],
    [10, 10_000],
    [14, 1_000],
    [17, 100],
  ])('on the scale bar at zoom %d are %d', (zoom, metres) => {
    const bar = scaleBar({ centre: monrovia, zoom }, 110);
    expect(bar.metres).toBe(metres);
    expect(bar.pixels).toBeLessThanOrEqual(110);
    expect(bar.pixels).toBeGreaterThan(40);
  });
});

describe('a view', () => {
  it('has its centre in the middle', () => {
    expect(toPoint(monrovia, view, size)).toEqual({ x: 300, y: 200 });
  });

  it('dragged to the right shows more of the west', () => {
    const moved = dragged(view, { x: 100, y: 0 });
    expect(moved.centre.longitude).toBeLessThan(monrovia.longitude);
    expect(toPoint(monrovia, moved, size).x).toBeCloseTo(400, 6);
  });

  it('zoomed at a point keeps the position under it', () => {
    const point = { x: 50, y: 350 };
    const before = positionAt(point, view, size);
    const after = positionAt(point, zoomedAt(view, 16.5, point, size), size);
    expect(after.latitude).toBeCloseTo(before.latitude, 9);
    expect(after.longitude).toBeCloseTo(before.longitude, 9);
  });

  it('of two corners fits both', () => {
    const corners = [
      { latitude: 8.56, longitude: -11.48 },
      { latitude: 4.34, longitude: -7.37 },
    ] as const;
    const whole = fitView(corners, size);
    for (const corner of corners) {
      const { x, y } = toPoint(corner, whole, size);
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(600);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(400);
    }
  });
});
