// Five officers at a table, with the map of Liberia on the wall.
import { Manager } from './person.tsx';

const LIBERIA =
  'M0 68l6 12 24 20 30 19 40 36 53 26 7-1-1-23 5-16 3-13-4-11-14-6-20-9-13-12 11-17 2-16-7-11-8-7-20 16-12-8 2-18-4-12-14-8-10 7-10-2-14 17-5 15-17 13Z';

/** Back to front. */
const SEATS = [
  { x: 58, y: 140, size: 0.8, skin: '#7a4d2f', jacket: '#7d5a16', hair: 'wrap' },
  { x: 422, y: 140, size: 0.8, skin: '#5b3822', jacket: '#2a4d80', tie: '#96701f', hair: 'bald' },
  { x: 146, y: 130, size: 0.85, skin: '#6b4226', jacket: '#4a3b2a', tie: '#1c375f', hair: 'short' },
  { x: 336, y: 130, size: 0.85, skin: '#8a5a38', jacket: '#33415a', hair: 'bun' },
  { x: 240, y: 112, size: 0.95, skin: '#4e2f1d', jacket: '#132745', tie: '#a3231f', hair: 'short' },
] as const;

/** Decorative. */
export function TeamManagement({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 480 360" className={className} aria-hidden="true" focusable="false">
      <path fill="#e7e0cf" d="M0 0h480v360H0Z" />
      <path fill="#dbd1b8" d="M0 0h480v26H0ZM0 300h480v60H0Z" />
      <path fill="#f7f1e1" stroke="#96701f" strokeWidth="3" d="M142 34h196v206H142Z" />
      <g transform="translate(152 40)">
        <path fill="#c9d6e6" d={LIBERIA} />
        <path fill="none" stroke="#2a4d80" strokeWidth="1.5" d={LIBERIA} />
        <path
          fill="none"
          stroke="#2a4d80"
          strokeOpacity=".5"
          d="M6 80l52-22 30 20 20-12M60 119l24-30 40 8M100 155l22-36"
        />
        <path
          fill="#96701f"
          d="M24 88a5 5 0 1 1 .1 0ZM62 114a4 4 0 1 1 .1 0ZM92 60a4 4 0 1 1 .1 0ZM150 176a4 4 0 1 1 .1 0Z"
        />
      </g>
      <g fill="none" stroke="#96701f" strokeWidth="3">
        <path fill="#1c375f" d="M24 48h84v150H24Z" />
        <path fill="#1c375f" d="M372 48h84v150h-84Z" />
      </g>
      <path fill="#2a4d80" d="M26 120c20-16 50-20 80-12v88H26ZM374 108c30-10 60-6 80 8v80h-80Z" />
      <path fill="#e2c684" d="M88 70a10 10 0 1 1 .1 0Z" />
      <path stroke="#96701f" strokeWidth="3" d="M66 48v150M414 48v150" />
      {SEATS.map(({ x, y, size, ...officer }) => (
        <g key={x} transform={`translate(${x} ${y}) scale(${size})`}>
          <Manager {...officer} />
        </g>
      ))}
      <path fill="#5a3d16" d="M0 306h480v54H0Z" />
      <path fill="#7d5a16" d="M0 302h480v10H0Z" />
      <path fill="#f7f6f2" d="M128 294l54-6 8 15h-66ZM300 291l48 4 6 8h-60Z" />
      <path fill="#0c1a30" d="M214 264h60l8 38h-76Z" />
      <path fill="#d0a955" d="M244 276l2 5 5 .4-4 3.3 1.3 5-4.3-2.8-4.3 2.8 1.3-5-4-3.3 5-.4Z" />
    </svg>
  );
}
