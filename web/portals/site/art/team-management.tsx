// Five officers of the management in the board room: the counties on the wall, Monrovia's hill in the window.
import { COUNTIES } from '#web/assets/liberia-counties.ts';
import { FaceDefs, Fade, SKINS } from './face.tsx';
import { Manager, type ManagerProps } from './manager.tsx';

type Place = { x: number; y: number; size: number };

/** Back to front. */
const PEOPLE: (ManagerProps & Place)[] = [
  {
    x: 150,
    y: 66,
    size: 0.8,
    skin: SKINS.sienna,
    shape: 'square',
    beard: 'full',
    hair: 'crop',
    jacket: '#4a3b2a',
    tie: '#1c375f',
  },
  {
    x: 330,
    y: 62,
    size: 0.8,
    skin: SKINS.umber,
    soft: true,
    mouth: 'smile',
    hair: 'wrap',
    jacket: '#6b4f1d',
  },
  {
    x: 66,
    y: 136,
    size: 0.86,
    skin: SKINS.bronze,
    soft: true,
    shape: 'round',
    mouth: 'smile',
    hair: 'braids',
    jacket: '#33415a',
  },
  {
    x: 418,
    y: 132,
    size: 0.88,
    skin: SKINS.ebony,
    soft: true,
    mouth: 'smile',
    hair: 'bun',
    jacket: '#7a2f3a',
  },
  {
    x: 240,
    y: 104,
    size: 0.98,
    skin: SKINS.ebony,
    shape: 'square',
    brow: '#5a544e',
    glasses: true,
    mature: true,
    hair: 'grey',
    jacket: '#132745',
    tie: '#7d2a20',
  },
];

export function TeamManagement() {
  return (
    <svg viewBox="0 0 480 360" aria-hidden="true">
      <FaceDefs />
      <defs>
        <linearGradient id="wall" x2="1">
          <stop stopColor="#efe6d2" />
          <stop offset="1" stopColor="#cdbf9f" />
        </linearGradient>
        <Fade id="outside" from="#8fb3d9" to="#f3e2bd" />
        <Fade id="table" from="#7a4f24" to="#3f2610" />
      </defs>
      <path fill="url(#wall)" d="M0 0h480v360H0Z" />
      <path fill="#a58d5d" fillOpacity=".5" d="M0 0h480v10H0ZM0 226h480v4H0Z" />
      {/* The window: hill, hotel, palms. */}
      <path fill="#6b4a21" d="M18 24h98v172H18Z" />
      <path fill="url(#outside)" d="M24 30h86v160H24Z" />
      <path fill="#7f9a86" d="M24 150c24-26 50-34 86-26v66H24Z" />
      <path fill="#e9dcc0" d="M62 92h26v38H62ZM58 88h34v5H58Z" />
      <path
        stroke="#6d8096"
        strokeWidth="2.400"
        strokeDasharray="3 2.500"
        d="M65 99h20M65 106h20M65 113h20M65 120h20"
      />
      <path fill="#3f6450" d="M24 168c20-12 54-16 86-8v30H24Z" />
      <path
        fill="none"
        stroke="#3f6450"
        strokeWidth="2"
        d="M40 168c1-14 3-22 6-30m0 0c-8-4-14 0-16 6m16-6c-4-8-10-9-16-6m16 6c0-8 6-12 12-10m-12 10c6-2 12 0 14 6"
      />
      <path fill="none" stroke="#6b4a21" strokeWidth="4" d="M67 30v160M24 104h86" />
      <path fill="#fff" fillOpacity=".22" d="M24 30h34L24 120Z" />
      {/* The map. */}
      <path fill="#20385c" fillOpacity=".25" d="M363 23h104v112H363Z" />
      <path fill="#f8f3e6" stroke="#7d5a16" strokeWidth="3" d="M358 18h104v112H358Z" />
      <g transform="translate(362 22) scale(.33)" stroke="#f8f3e6" strokeWidth="3.500">
        {COUNTIES.map(({ name, area }, number) => (
          <path
            key={name}
            fill={['#2a4d80', '#4a6c9c', '#b78c35', '#1c375f'][number % 4]}
            d={area}
          />
        ))}
      </g>
      {/* The flag stand is the firm's colours. */}
      <path fill="#8a6420" d="M234 6h5v170h-5Z" />
      <path fill="#132745" d="M239 10c22 4 38-6 58 2 4 24-6 40 2 62-22-6-38 6-60 2Z" />
      <path
        fill="#d0a955"
        d="M262 28l3.600 8.600 9.400.7-7.200 6 2.300 9.100-8.100-5-8.100 5 2.300-9.100-7.200-6 9.400-.7Z"
      />
      {PEOPLE.map(({ x, y, size, ...person }) => (
        <g key={x} transform={`translate(${x} ${y}) scale(${size})`}>
          <Manager {...person} />
        </g>
      ))}
      <path fill="url(#table)" d="M0 318h480v42H0Z" />
      <path fill="#a87239" d="M0 316h480v4H0Z" />
      <path fill="#f7f3e8" d="M98 312l62-4 10 20-74 4Z" />
      <path stroke="#9aa3b2" strokeWidth="1.800" d="M108 314l42-3M107 319l50-3M106 324l38-2.500" />
      <path fill="#16233a" d="M286 274h72c4 0 6 2 7 6l8 42h-88l-2-42c0-4 1-6 3-6Z" />
      <path fill="#223a60" d="M283 322h94l6 6h-98Z" />
      <path
        fill="#d0a955"
        d="M326 292l2.200 5.400 5.800.4-4.500 3.800 1.400 5.600-4.900-3-4.900 3 1.400-5.600-4.500-3.800 5.800-.4Z"
      />
      <path fill="#fff" fillOpacity=".5" d="M206 300h18l-2 30h-14Z" />
      <path fill="#bcd3e6" fillOpacity=".8" d="M207 310h16l-1.500 20h-13Z" />
    </svg>
  );
}
