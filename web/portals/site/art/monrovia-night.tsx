// The hero's picture: Monrovia at night from a post above the water. The cape with its lighthouse, the hill
// with the old hotel, the town, the long bridge; a guard on watch in front.
import { GuardOnWatch } from './guard-on-watch.tsx';

const STARS =
  'M92 70h.1M210 150h.1M330 52h.1M455 128h.1M548 40h.1M640 190h.1M742 82h.1M836 150h.1M905 44h.1M1010 118h.1M1104 62h.1M1190 160h.1M1302 50h.1M1376 132h.1M1466 78h.1M1540 168h.1M58 248h.1M268 262h.1M412 230h.1M980 236h.1M1260 244h.1M1500 262h.1';

const TOWN =
  'M560 646l60-14h44v-16h38v12h32v-30h40v18h26v-46h34v30h20v-56h44v26h14v72h180v-40h30v24h24v-48h34v30h26v-20h32v18h46v40h70v-34h44v34h60v-12h70v22h94v-16h60V646H560Z';

const WINDOWS =
  'M746 610h5M784 590h5M812 572h5M824 588h5M844 566h5M858 582h5M872 560h5M884 548h5M1050 600h5M1078 572h5M1112 606h5M1132 590h5M1228 606h5M1252 600h5M1290 612h5';

const SHIMMER =
  'M120 664h180M360 664h60M520 664h240M860 664h70M1040 664h150M1300 664h80M60 684h90M230 684h220M560 684h90M720 684h260M1100 684h90M180 706h70M330 706h300M760 706h120M960 706h190M1260 706h120M40 730h160M300 730h90M520 730h280M900 730h90M1080 730h210M240 758h330M700 758h90M880 758h260M90 790h180M420 790h420M980 790h160M320 826h260M700 826h330';

type PalmProps = { x: number; y: number; size: number };

/** A coconut palm standing on (x, y), 90 units tall at size 1. */
function Palm({ x, y, size }: PalmProps) {
  return (
    <path
      transform={`translate(${x} ${y}) scale(${size})`}
      d="M-3 0c1-30 3-52 9-76-12-6-26-2-34 12 0-18 12-28 30-22-10-8-22-8-32-2 10-14 28-14 38-2 4-14 18-20 34-10-12 0-20 4-26 12 16-4 30 4 32 22-8-12-20-18-34-12 10 6 16 16 14 30-4-14-10-24-18-28C10-52 6-28 5 0Z"
    />
  );
}

const VIEW = {
  viewBox: '0 0 1600 900',
  preserveAspectRatio: 'xMaxYMax slice',
  className: 'absolute inset-0 size-full',
} as const;

function Sky() {
  return (
    <svg {...VIEW} aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id="night" x2="0" y2="1">
          <stop stopColor="#060d19" />
          <stop offset=".45" stopColor="#0c1a30" />
          <stop offset=".69" stopColor="#24426c" />
          <stop offset=".7" stopColor="#132745" />
          <stop offset="1" stopColor="#060d19" />
        </linearGradient>
        <radialGradient
          id="glow"
          cx=".62"
          cy=".69"
          r=".5"
          gradientTransform="matrix(1 0 0 .36 0 .44)"
        >
          <stop stopColor="#d0a955" stopOpacity=".5" />
          <stop offset="1" stopColor="#d0a955" stopOpacity="0" />
        </radialGradient>
      </defs>
      <path fill="url(#night)" d="M0 0h1600v900H0Z" />
      <path stroke="#f1efe8" strokeOpacity=".7" strokeWidth="2.4" strokeLinecap="round" d={STARS} />
      <path fill="url(#glow)" d="M0 200h1600v500H0Z" />
    </svg>
  );
}

function TownAndGuard() {
  return (
    <svg {...VIEW} aria-hidden="true" focusable="false">
      <defs>
        <radialGradient id="lamp">
          <stop stopColor="#fbeecb" stopOpacity=".9" />
          <stop offset="1" stopColor="#e2c684" stopOpacity="0" />
        </radialGradient>
      </defs>
      <path
        fill="#13294a"
        d="M420 646c90-22 180-30 270-52 70-16 130-20 190-16 120 8 170 18 260 24 130-30 250-36 340-16 50 10 90 16 120 14v60H420Z"
      />
      <path
        fill="#0d1d38"
        d="M800 640c70-52 130-84 210-96 110-16 190-8 250 22 40 20 70 52 110 74Z"
      />
      <path fill="#0a162b" d="M1150 556l6-128h16l6 128ZM1151 424h26v7h-26ZM1155 405h18l-9-14Z" />
      <path fill="#fbeecb" d="M1157 406h14v18h-14Z" />
      <circle cx="1164" cy="415" r="46" fill="url(#lamp)" />
      <path fill="#0a162b" d="M930 570v-96h104v96ZM916 562h132v16H916ZM960 474v-14h30v14Z" />
      <path
        stroke="#e2c684"
        strokeOpacity=".6"
        strokeWidth="3"
        strokeDasharray="5 8 5 15 5 22"
        d="M940 488h86M940 502h86M944 516h80M940 530h86M948 544h76"
      />
      <g fill="#091730">
        <Palm x={1222} y={604} size={1.3} />
        <Palm x={1252} y={616} size={0.95} />
        <Palm x={900} y={612} size={0.8} />
        <Palm x={1086} y={566} size={0.6} />
      </g>
      <path fill="#0a162b" d={TOWN} />
      <path stroke="#e2c684" strokeWidth="5" strokeOpacity=".85" d={WINDOWS} />
      <path fill="#081120" d="M560 640h1040v10H560ZM330 628h300v7H330Z" />
      <path
        stroke="#081120"
        strokeWidth="7"
        d="M350 632v18M400 632v18M450 632v18M500 632v18M550 632v18"
      />
      <path
        stroke="#e2c684"
        strokeOpacity=".3"
        strokeWidth="2"
        className="site-water"
        d={SHIMMER}
      />
      <path fill="#e2c684" fillOpacity=".12" d="M1154 652h20l18 240h-56Z" />
      <g transform="translate(1400 400) scale(1.1)">
        <GuardOnWatch />
      </g>
      <path fill="#050b16" d="M930 838h670v62H930Z" />
      <path fill="#0c1a30" d="M900 826h700v14H900Z" />
      <path stroke="#d0a955" strokeOpacity=".7" strokeWidth="2" d="M900 826h700" />
    </svg>
  );
}

/**
 * Decorative: the headline says what it shows. Its right side stays in view; on small screens it fills the lower part only.
 * The beam points to the right, where no text is (site.css).
 */
export function MonroviaNight() {
  return (
    <div className="site-view absolute inset-x-0 bottom-0 h-[24rem] overflow-hidden sm:h-[32rem] lg:h-full print:hidden">
      <Sky />
      <div className="site-beam" />
      <TownAndGuard />
    </div>
  );
}
