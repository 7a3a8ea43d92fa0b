import { DEGREE_M } from '#shared/distance.ts';
import { readGps } from '#web/lib/position/directions.ts';
import type { AttendanceDetail } from './api.ts';

/** Metres from the site. */
type Point = { east: number; north: number };

/**
 * @param gps 'lat,lng' in degrees
 * @returns undefined when either position is unknown
 */
export function findOffset(
  gps: string | null,
  site: { latitude: number | null; longitude: number | null },
): Point | undefined {
  if (gps === null || site.latitude === null || site.longitude === null) return undefined;
  const place = readGps(gps);
  return (
    place && {
      east:
        (place.longitude - site.longitude) * DEGREE_M * Math.cos((site.latitude * Math.PI) / 180),
      north: (place.latitude - site.latitude) * DEGREE_M,
    }
  );
}

const SIZE = 200;
const MIDDLE = SIZE / 2;

type Mark = { name: string; point: Point | undefined; className: string };

export function FencePicture({ detail: { site, record } }: { detail: AttendanceDetail }) {
  if (!site || !record) return null;
  const marks: Mark[] = [
    { name: 'In', point: findOffset(record.clock_in_gps, site), className: 'fill-success' },
    { name: 'Out', point: findOffset(record.clock_out_gps, site), className: 'fill-info' },
  ];
  const known = marks.flatMap(({ point }) => (point ? [Math.hypot(point.east, point.north)] : []));
  if (known.length === 0) return null;
  const scale = (MIDDLE - 22) / Math.max(site.geofence_radius_m, ...known);
  return (
    <figure className="grid justify-items-center gap-2">
      <svg
        role="img"
        aria-label={`Clock events around the fence of ${site.geofence_radius_m} m`}
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        className="w-full max-w-52"
      >
        <circle
          cx={MIDDLE}
          cy={MIDDLE}
          r={Math.max(3, site.geofence_radius_m * scale)}
          className="fill-accent-fill/15 stroke-accent-fill"
          strokeDasharray="4 3"
        />
        <path d={`M${MIDDLE - 5} ${MIDDLE}h10M${MIDDLE} ${MIDDLE - 5}v10`} className="stroke-ink" />
        {marks.map(({ name, point, className }, index) => {
          if (!point) return null;
          const x = MIDDLE + point.east * scale;
          const y = MIDDLE - point.north * scale;
          return (
            <g key={name}>
              <circle cx={x} cy={y} r="5" className={className} />
              <text
                x={x}
                y={index === 0 ? y - 9 : y + 17}
                textAnchor="middle"
                className="fill-ink text-[11px] font-semibold"
              >
                {name}
              </text>
            </g>
          );
        })}
      </svg>
      <figcaption className="text-center text-xs text-muted">
        Fence of {site.geofence_radius_m} m around the site, north up
      </figcaption>
    </figure>
  );
}
