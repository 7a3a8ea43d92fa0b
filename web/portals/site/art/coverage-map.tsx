// The counties of Liberia in the tones of the regions that the company covers.
import type { Region } from '#company';
import { COUNTIES } from '#web/assets/liberia-counties.ts';

/** By number of the region. */
export const REGION_TONES = [
  'text-navy-600 dark:text-[#6f95cc]',
  'text-brass-500',
  'text-[#3f7f7a] dark:text-[#4d9891]',
  'text-[#7f8fa8] dark:text-[#a9b4c6]',
];

export const toneOf = (region: number) => REGION_TONES[region % REGION_TONES.length];

/** Where the region's number is drawn: in the middle of its counties' names. */
function centre({ counties }: Region): { x: number; y: number } {
  const places = COUNTIES.filter(({ name }) => counties.includes(name));
  const mean = (of: 'x' | 'y') =>
    Math.round(places.reduce((sum, place) => sum + place[of], 0) / places.length);
  return { x: mean('x'), y: mean('y') };
}

/** Decorative: the list beside it names the regions and their counties. */
export function CoverageMap({ regions, className }: { regions: Region[]; className?: string }) {
  return (
    <svg viewBox="0 0 288 298" className={className} aria-hidden="true" focusable="false">
      <g strokeWidth="1.200" strokeLinejoin="round" className="stroke-surface">
        {COUNTIES.map(({ name, area }) => {
          const region = regions.findIndex(({ counties }) => counties.includes(name));
          return (
            <path
              key={name}
              d={area}
              fill="currentColor"
              className={region < 0 ? 'text-line' : toneOf(region)}
            />
          );
        })}
      </g>
      {regions.map((region, number) => {
        const { x, y } = centre(region);
        return (
          <g key={region.name} transform={`translate(${x} ${y})`}>
            <circle r="10" fill="#081120" stroke="#e2c684" strokeWidth="1.500" />
            <text y="4" textAnchor="middle" fontSize="11" fontWeight="600" fill="#fff">
              {number + 1}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
