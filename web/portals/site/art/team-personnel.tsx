// Three officers in front of a colonnade at sunrise.
import { Officer } from './person.tsx';

const COLUMNS = [36, 116, 196, 284, 364, 444];

/** Decorative. */
export function TeamPersonnel({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 480 360" className={className} aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id="sunrise" x2="0" y2="1">
          <stop stopColor="#2a4d80" />
          <stop offset=".6" stopColor="#a9a58d" />
          <stop offset="1" stopColor="#e2c684" />
        </linearGradient>
      </defs>
      <path fill="url(#sunrise)" d="M0 0h480v360H0Z" />
      <path fill="#f3ead3" d="M0 92h480v22H0ZM0 86 240 14l240 72Z" />
      <path fill="#d9cba8" d="M0 114h480v8H0ZM44 82 240 24l196 58Z" />
      <path fill="#96701f" d="M240 40l5 13 14 1-11 9 4 13-12-8-12 8 4-13-11-9 14-1Z" />
      <path fill="#132745" fillOpacity=".5" d="M0 122h480v238H0Z" />
      {COLUMNS.map((x) => (
        <g key={x}>
          <path fill="#f3ead3" d={`M${x - 18} 122h36v220h-36Z`} />
          <path fill="#cbbb92" d={`M${x + 6} 122h12v220H${x + 6}Z`} />
          <path fill="#fbf5e6" d={`M${x - 23} 122h46v10h-46Z`} />
        </g>
      ))}
      <g transform="translate(104 112) scale(.98)">
        <Officer skin="#6b4429" />
      </g>
      <g transform="translate(378 108) scale(1)">
        <Officer skin="#8a5a38" />
      </g>
      <g transform="translate(240 76) scale(1.12)">
        <Officer skin="#4e2f1d" shirt="#234370" />
      </g>
    </svg>
  );
}
