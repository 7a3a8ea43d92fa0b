// A gate at night: an officer on the radio, the guardhouse with a colleague, the patrol car.
import { FaceDefs, Fade, SKINS } from './face.tsx';
import { Officer } from './officer.tsx';

const BARS = [196, 214, 232, 250, 268, 286];

function PatrolCar() {
  return (
    <g>
      <path
        fill="#e9e6dc"
        d="M0 52c0-10 4-16 14-17l20-3 18-24c3-4 6-6 12-6h46c6 0 10 2 14 7l16 23 16 4c8 2 10 6 10 14v14H0Z"
      />
      <path fill="#1c375f" d="M0 46h166v9H0Z" />
      <path fill="#d0a955" d="M0 56h166v3H0Z" />
      <path fill="#13243f" d="M42 31 58 11c2-2 4-3 7-3h17v23ZM88 8h21c4 0 6 1 8 4l13 19H88Z" />
      <path fill="#8fb3d9" fillOpacity=".35" d="M52 25 62 12h12L60 29Z" />
      <path fill="#a3231f" d="M72-4h14v6H72Z" />
      <path fill="#3f86d8" d="M88-4h14v6H88Z" />
      <path fill="#0a1220" d="M18 66a17 17 0 1 1 34 0ZM114 66a17 17 0 1 1 34 0Z" />
      <path fill="#5b6676" d="M35 58a9 9 0 1 1-.1 0ZM131 58a9 9 0 1 1-.1 0Z" />
      <path fill="#fdf0c4" d="M0 44h9v7H0Z" />
    </g>
  );
}

export function TeamNight() {
  return (
    <svg viewBox="0 0 480 360" aria-hidden="true">
      <FaceDefs />
      <defs>
        <linearGradient id="late" x2="0" y2="1">
          <stop stopColor="#060d19" />
          <stop offset=".75" stopColor="#1f3a63" />
          <stop offset="1" stopColor="#34527f" />
        </linearGradient>
        <radialGradient id="lamp">
          <stop stopColor="#fdf3d6" stopOpacity=".95" />
          <stop offset=".18" stopColor="#f3dfa9" stopOpacity=".45" />
          <stop offset="1" stopColor="#e2c684" stopOpacity="0" />
        </radialGradient>
        <Fade id="road" from="#1a2740" to="#060c17" />
        <linearGradient id="headlight" x1="1" x2="0">
          <stop stopColor="#fdf0c4" stopOpacity=".45" />
          <stop offset="1" stopColor="#fdf0c4" stopOpacity="0" />
        </linearGradient>
        <clipPath id="window">
          <path d="M24 142h104v92H24Z" />
        </clipPath>
      </defs>
      <path fill="url(#late)" d="M0 0h480v360H0Z" />
      <path
        stroke="#f1efe8"
        strokeOpacity=".75"
        strokeWidth="2"
        strokeLinecap="round"
        d="M150 28h.1M196 66h.1M236 24h.1M300 40h.1M452 28h.1M168 100h.1M462 96h.1"
      />
      {/* The house behind the wall. */}
      <path fill="#0b172b" d="M170 234v-84l70-50 70 50v84ZM306 234v-62h120v62Z" />
      <path
        fill="#e2c684"
        fillOpacity=".85"
        d="M206 160h16v22h-16ZM258 160h16v22h-16ZM330 188h14v18h-14Z"
      />
      <path
        fill="#0d2a26"
        d="M446 234c2-50 4-80 10-112-14-10-30-6-40 8 2-20 16-30 34-26-10-8-22-8-32-2 10-16 30-16 42-2 4-8 10-12 20-14v148Z"
      />
      <path fill="#14264a" d="M120 216h360v64H120Z" />
      <path fill="#2a4370" d="M120 210h360v8H120Z" />
      <path stroke="#8797b3" strokeOpacity=".6" strokeWidth="1.500" d="M120 200h360M120 205h360" />
      {/* The gate. */}
      <path fill="#20365c" d="M170 178h18v106h-18ZM300 178h18v106h-18Z" />
      <path fill="#35507e" d="M165 172h28v8h-28ZM295 172h28v8h-28Z" />
      <g stroke="#b78c35" strokeWidth="3">
        {BARS.map((x) => (
          <path key={x} d={`M${x} ${196 - Math.round(10 * Math.cos((x - 241) / 34))}v90`} />
        ))}
        <path fill="none" d="M188 208h112M188 272h112" />
      </g>
      <path fill="#fdf3d6" d="M173 158h12v14h-12ZM303 158h12v14h-12Z" />
      <circle cx="179" cy="164" r="62" fill="url(#lamp)" />
      <circle cx="309" cy="164" r="62" fill="url(#lamp)" />
      {/* The guardhouse and the colleague at the screens. */}
      <path fill="#1b3056" d="M8 118h136v196H8Z" />
      <path fill="#0a1526" d="M-4 100h160l-10 20H6Z" />
      <path fill="#d0a955" d="M-4 98h160v4H-4Z" />
      <path fill="#f6e3ae" d="M24 142h104v92H24Z" />
      <g clipPath="url(#window)">
        <g transform="translate(66 150) scale(.62)">
          <Officer headgear="beret" hair="short" skin={SKINS.bronze} shape="oval" />
        </g>
      </g>
      <path fill="#0a1526" d="M92 196h40v28H92Z" />
      <path fill="#4a7fc0" d="M95 199h34v20H95Z" />
      <path stroke="#0a1526" strokeWidth="1.500" d="M112 199v20M95 209h34" />
      <path fill="#13243f" d="M24 228h104v92H24Z" />
      <path fill="none" stroke="#0f2143" strokeWidth="5" d="M24 142h104v92H24Z" />
      <path fill="#fff" fillOpacity=".12" d="M24 142h40l-40 60Z" />
      <path fill="url(#road)" d="M0 278h480v82H0Z" />
      <path fill="#e2c684" fillOpacity=".1" d="M60 360l118-80h130l60 80Z" />
      <path fill="url(#headlight)" d="M164 290 0 266v56l164-18Z" />
      <g transform="translate(158 250) scale(.86)">
        <PatrolCar />
      </g>
      {/* The barrier. */}
      <path fill="#0a1526" d="M128 254h12v66h-12Z" />
      <path stroke="#f1efe8" strokeWidth="6" d="M134 262 268 236" />
      <path stroke="#a3231f" strokeWidth="6" strokeDasharray="14 14" d="M134 262 268 236" />
      <g transform="translate(384 92) scale(1.2)">
        <Officer headgear="cap" hair="short" skin={SKINS.umber} shape="square" hasRadio />
      </g>
    </svg>
  );
}
