// The hero's picture: Monrovia at night from a post above the water. The cape with its lighthouse, the hill
// with the old hotel, the town, the long bridge; two guards on watch in front.
import { GuardFromBehind } from './guard-back.tsx';

const STARS =
  'M92 70h.1M210 150h.1M330 52h.1M455 128h.1M548 40h.1M640 190h.1M742 82h.1M836 150h.1M905 44h.1M1010 118h.1M1104 62h.1M1190 160h.1M1302 50h.1M1376 132h.1M1466 78h.1M1540 168h.1M58 248h.1M268 262h.1M412 230h.1M980 236h.1M1260 244h.1M1500 262h.1';

const TOWN =
  'M0 622V566h46v-22h40v30h38v-48h54v40h30v-26l24-20 24 20v26h44v-58h58v44h36v-78h10v-14h34v14h10v66h40v-34h52v30h30v-52h26l8-46 8 46h26v58h50v-36h62v28h34v-56h48v-18h28v74h44v-30l30-22 30 22v30h56v-44h40v30h60v20h64v-34h44v34h60v22h70v12h94v-16h60v24h120V640H0Z';

const WINDOWS =
  'M58 560h5M70 576h5M140 542h5M152 558h5M160 542h5M314 528h5M330 544h5M344 528h5M420 492h5M436 508h5M420 524h5M448 492h5M520 540h5M536 552h5M700 560h5M724 574h5M812 536h5M828 552h5M840 520h5M852 536h5M1010 560h5M1030 574h5M1120 560h5M1200 572h5M1290 590h5';

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

/** Decorative: the headline says what it shows. Fills its box and keeps the right side in view. */
export function MonroviaNight() {
  return (
    <svg
      viewBox="0 0 1600 900"
      preserveAspectRatio="xMaxYMax slice"
      className="absolute inset-0 size-full"
      aria-hidden="true"
      focusable="false"
    >
      <defs>
        <linearGradient id="night" x2="0" y2="1">
          <stop stopColor="#060d19" />
          <stop offset=".45" stopColor="#0c1a30" />
          <stop offset=".69" stopColor="#24426c" />
          <stop offset=".7" stopColor="#132745" />
          <stop offset="1" stopColor="#060d19" />
        </linearGradient>
        <radialGradient id="glow" cx=".62" cy=".69" r=".5" gradientTransform="matrix(1 0 0 .36 0 .44)">
          <stop stopColor="#d0a955" stopOpacity=".5" />
          <stop offset="1" stopColor="#d0a955" stopOpacity="0" />
        </radialGradient>
        <linearGradient id="beam" x1="1" x2="0">
          <stop stopColor="#f3dfa9" stopOpacity=".34" />
          <stop offset="1" stopColor="#e2c684" stopOpacity="0" />
        </linearGradient>
        <radialGradient id="lamp">
          <stop stopColor="#fbeecb" stopOpacity=".9" />
          <stop offset="1" stopColor="#e2c684" stopOpacity="0" />
        </radialGradient>
      </defs>
      <path fill="url(#night)" d="M0 0h1600v900H0Z" />
      <path stroke="#f1efe8" strokeOpacity=".7" strokeWidth="2.4" strokeLinecap="round" d={STARS} />
      <path fill="url(#glow)" d="M0 200h1600v500H0Z" />
      <path fill="#13294a" d="M0 622c120-30 210-38 330-26 100-70 210-96 330-78 120 18 170 60 260 72 130-60 250-66 380-30 90 24 200 30 300 20v60H0Z" />
      <path fill="#0d1d38" d="M800 640c70-52 130-84 210-96 110-16 190-8 250 22 40 20 70 52 110 74Z" />
      <g className="site-beam" style={{ transformOrigin: '1164px 418px' }} fill="url(#beam)">
        <path d="M1164 414-60 150v400Z" />
        <path d="M1164 414-60 206v270Z" />
        <path d="M1164 414-60 256v150Z" />
      </g>
      <path fill="url(#beam)" fillOpacity=".35" d="M1164 414l440-70v130Z" transform="matrix(-1 0 0 1 2328 0)" />
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
      <g fill="#081428">
        <Palm x={846} y={642} size={1} />
        <Palm x={884} y={644} size={0.72} />
        <Palm x={1092} y={560} size={0.5} />
        <Palm x={504} y={642} size={0.86} />
        <Palm x={1214} y={572} size={0.6} />
      </g>
      <path fill="#0a162b" d={TOWN} />
      <path stroke="#e2c684" strokeWidth="5" strokeOpacity=".85" d={WINDOWS} />
      <path fill="#081120" d="M0 640h1600v10H0ZM0 612h470v8H0Z" />
      <path stroke="#081120" strokeWidth="7" d="M40 616v34M110 616v34M180 616v34M250 616v34M320 616v34M390 616v34M456 616v34" />
      <path stroke="#e2c684" strokeOpacity=".3" strokeWidth="2" className="site-water" d={SHIMMER} />
      <path fill="#e2c684" fillOpacity=".12" d="M1154 652h20l18 240h-56Z" />
      <g transform="translate(1318 440) scale(.94)">
        <GuardFromBehind />
      </g>
      <g transform="translate(1510 470) scale(.9)">
        <GuardFromBehind />
      </g>
      <path fill="#050b16" d="M930 838h670v62H930Z" />
      <path fill="#0c1a30" d="M900 826h700v14H900Z" />
      <path stroke="#d0a955" strokeOpacity=".7" strokeWidth="2" d="M900 826h700" />
    </svg>
  );
}
