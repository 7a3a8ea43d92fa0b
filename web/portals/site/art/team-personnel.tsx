// Three officers on parade in front of a mission's colonnade, at sunrise.
import { FaceDefs, Fade, SKINS } from './face.tsx';
import { Officer } from './officer.tsx';

const COLUMNS = [26, 116, 206, 274, 364, 454];
const RAILS = [0, 14, 28, 42, 56, 70];

function Palm() {
  return (
    <path
      fill="#1f4034"
      d="M-3 0c1-40 3-66 10-96-16-8-34-4-44 14 0-22 16-34 38-28-12-10-28-10-40-2 12-18 36-18 48-2 6-18 24-24 44-12-16 0-26 6-34 16 20-6 38 4 40 28-10-16-26-22-44-14 12 8 20 20 18 38-6-18-14-30-24-36C11-66 7-34 5 0Z"
    />
  );
}

export function TeamPersonnel() {
  return (
    <svg viewBox="0 0 480 360" aria-hidden="true">
      <FaceDefs />
      <defs>
        <linearGradient id="sunrise" x2="0" y2="1">
          <stop stopColor="#2f5789" />
          <stop offset=".5" stopColor="#c0b08d" />
          <stop offset="1" stopColor="#f0cd86" />
        </linearGradient>
        <linearGradient id="stone" x2="1">
          <stop stopColor="#fbf4e2" />
          <stop offset=".55" stopColor="#e9dbba" />
          <stop offset="1" stopColor="#b9a67c" />
        </linearGradient>
        <Fade id="porch" from="#0c1a30" to="#30517f" />
      </defs>
      <path fill="url(#sunrise)" d="M0 0h480v360H0Z" />
      <circle cx="66" cy="60" r="90" fill="#ffe3a3" fillOpacity=".35" />
      <g transform="translate(30 130) scale(.9)">
        <Palm />
      </g>
      <path fill="#f2e6c9" d="M0 84 240 12l240 72v10H0Z" />
      <path fill="#cdbb90" d="M36 83 240 22l204 61Z" />
      <path fill="#b49d68" d="M70 83 240 32l170 51Z" />
      <path fill="#132745" d="M226 46l14-6 14 6v14c0 10-8 15-14 19-6-4-14-9-14-19Z" />
      <path
        fill="#d0a955"
        d="M240 47l3 7 7.400.6-5.600 4.800 1.800 7.200-6.600-4-6.600 4 1.800-7.200-5.600-4.800 7.400-.6Z"
      />
      <path fill="#f7eed8" d="M0 94h480v16H0Z" />
      <path fill="#9d8858" d="M0 110h480v4H0Z" />
      <path fill="url(#porch)" d="M0 114h480v246H0Z" />
      {/* Lit doors and windows of the porch. */}
      <path
        fill="#e2c684"
        fillOpacity=".8"
        d="M56 150h30v84H56ZM146 150h30v84h-30ZM304 150h30v84h-30ZM394 150h30v84h-30Z"
      />
      <path
        fill="none"
        stroke="#132745"
        strokeWidth="3"
        d="M71 150v84M56 178h30M161 150v84M146 178h30M319 150v84M304 178h30M409 150v84M394 178h30"
      />
      {COLUMNS.map((x) => (
        <g key={x} transform={`translate(${x} 0)`}>
          <path fill="url(#stone)" d="M-15 122h30l2 238h-34Z" />
          <path
            stroke="#a8946a"
            strokeOpacity=".5"
            strokeWidth="1.500"
            d="M-7 130v230M1 130v230M8 130v230"
          />
          <path fill="#fdf8ea" d="M-22 112h44l-4 10h-36Z" />
        </g>
      ))}
      <g stroke="#0a1526" strokeWidth="4">
        {RAILS.map((x) => (
          <path key={x} d={`M${x + 3} 250v110M${x + 407} 250v110`} />
        ))}
        <path d="M0 262h84M396 262h84" />
      </g>
      <g transform="translate(96 104) scale(.98)">
        <Officer headgear="beret" hair="bun" skin={SKINS.sienna} soft mouth="smile" />
      </g>
      <g transform="translate(384 100) scale(.98)">
        <Officer headgear="cap" hair="short" skin={SKINS.ebony} shape="round" hasRadio />
      </g>
      <g transform="translate(240 78) scale(1.14)">
        <Officer
          headgear="cap"
          hair="short"
          skin={SKINS.umber}
          shape="square"
          beard="moustache"
          mature
          shirt="#e8e2d2"
          sleeve="#f7f2e6"
        />
      </g>
    </svg>
  );
}
