// Officers in uniform: head and chest, seen from the front, around x = 0 and 260 units tall. Light comes from the left.
import { Face, type FaceProps } from './face.tsx';

const STAR =
  'M0-9l2.100 6.200 6.500.1-5.200 4 1.900 6.300L0 3.900l-5.300 3.700 1.900-6.300-5.200-4 6.500-.1Z';

const BRASS = '#d0a955';
const PALE_BRASS = '#ecd59b';

/** Peaked cap with brass star, band and cord. */
function PeakedCap() {
  return (
    <g>
      <path
        fill="#0a1526"
        d="M-33 33c-14-8-18-20-14-27 6-10 28-16 47-16s41 6 47 16c4 7 0 19-14 27-20-9-46-9-66 0Z"
      />
      <path fill="#1b3152" d="M-47 6c6-10 28-16 47-16 12 0 25 2.500 34 7-24-3-56-2-81 9Z" />
      <path fill="#101f38" d="M-33 33c20-9 46-9 66 0l1-12c-20-8-48-8-68 0Z" />
      <path fill="none" stroke={BRASS} strokeWidth="2.400" d="M-33.500 31.500c20-9 47-9 67 0" />
      <path
        fill="#05090f"
        d="M-34 33c20-10 48-10 68 0 2 7-4 11-12 10-14-3-30-3-44 0-8 1-14-3-12-10Z"
      />
      <path
        fill="none"
        stroke="#5b6f8f"
        strokeOpacity=".7"
        strokeLinecap="round"
        strokeWidth="1.600"
        d="M-27 37c14-6 30-6.500 43-3.500"
      />
      <path fill={BRASS} d="M-9 5 0 1l9 4v9c0 6-5 9-9 11-4-2-9-5-9-11Z" />
      <path fill="#0c1a30" transform="translate(0 13) scale(.72)" d={STAR} />
      <path fill={BRASS} d="M-34 30h.1a2.200 2.200 0 1 1-.1 0ZM34 30h.1a2.200 2.200 0 1 1-.1 0Z" />
    </g>
  );
}

/** Beret pulled to the right, with the badge over the left eye. */
function Beret() {
  return (
    <g>
      <path
        fill="#0a1526"
        d="M-35 37c-9-24 6-46 32-47 30-1 52 13 50 33-1 12-11 17-20 13-18-8-42-8-62 1Z"
      />
      <path fill="#1b3152" d="M-33 20c2-18 14-28 31-29 14-.5 27 2 36 8-22-4-52 0-67 21Z" />
      <path
        fill="none"
        stroke="#04080f"
        strokeWidth="4"
        strokeLinecap="round"
        d="M-35 38c20-9 44-9 63-1"
      />
      <path fill={BRASS} d="M-22 8l8-3 8 3v8c0 5-4 8-8 9-4-1-8-4-8-9Z" />
      <path fill="#0c1a30" transform="translate(-14 15) scale(.62)" d={STAR} />
    </g>
  );
}

type UniformProps = { shirt: string; sleeve: string };

function Uniform({ shirt, sleeve }: UniformProps) {
  return (
    <g>
      <path
        fill={shirt}
        d="M-21 103c-20 11-52 13-70 25-15 10-20 54-22 132v80h226v-80c-2-78-7-122-22-132-18-12-50-14-70-25L0 124Z"
      />
      <path
        fill="#030914"
        fillOpacity=".2"
        d="M6 132l15-29c20 11 52 13 70 25 15 10 20 54 22 132v80H36C50 230 36 168 6 132Z"
      />
      <path
        fill="none"
        stroke="#030914"
        strokeOpacity=".4"
        strokeWidth="2"
        d="M-79 330c2-94 1-128-7-152M79 330c-2-94-1-128 7-152"
      />
      <path fill="#0a1526" d="M-7 122H7l6 106-13 16-13-16Z" />
      <path fill="#1a2b49" d="M-8 120H8l-3 13H-5Z" />
      <path fill={sleeve} d="M-21 101-2 122l-17 21-19-37ZM21 101 2 122l17 21 19-37Z" />
      <path
        fill="none"
        stroke="#030914"
        strokeOpacity=".4"
        strokeWidth="1.500"
        d="M-2 122l-17 21-19-37M2 122l17 21 19-37"
      />
      <path fill={BRASS} d="M-9 188h18v4H-9Z" />
      <g fill={sleeve} stroke="#030914" strokeOpacity=".5" strokeWidth="1.600">
        <path d="M-70 178h44v54h-44ZM26 178h44v54H26Z" />
        <path d="M-72 176h48v12l-24 10-24-10ZM24 176h48v12l-24 10-24-10Z" />
      </g>
      <path
        fill={BRASS}
        d="M-48 191h.1a2.600 2.600 0 1 1-.1 0ZM48 191h.1a2.600 2.600 0 1 1-.1 0Z"
      />
      {/* Epaulettes with two bars. */}
      <path fill="#0a1526" d="M-95 130l44-17 8 12-46 20ZM95 130l-44-17-8 12 46 20Z" />
      <path
        stroke={BRASS}
        strokeWidth="3.600"
        d="M-80 123l6 13M-71 119.500l6 13M80 123l-6 13M71 119.500l-6 13"
      />
      {/* Cord of the whistle, name tape, badge. */}
      <path
        fill="none"
        stroke={BRASS}
        strokeLinecap="round"
        strokeWidth="2.600"
        d="M-84 129c0 26 12 46 36 62"
      />
      <path fill={PALE_BRASS} d="M-70 163h44v9h-44Z" />
      <path stroke="#3c2c0b" strokeWidth="2" strokeDasharray="4 2 6 2 3 2" d="M-64 167.500h32" />
      <path fill={BRASS} d="M33 152l13-5 13 5v9c0 9-7 13-13 16-6-3-13-7-13-16Z" />
      <path fill="#0c1a30" d="M36 154l10-4 10 4v7c0 7-5 10-10 13-5-3-10-6-10-13Z" />
      <path fill={PALE_BRASS} transform="translate(46 162) scale(.86)" d={STAR} />
      {/* Shoulder patch. */}
      <path fill={BRASS} d="M-106 160l10-5 9 5v10c0 7-5 10-9 12-5-2-10-5-10-12Z" />
      <path
        fill="#0c1a30"
        d="M-103 162l7-3.500 6.500 3.500v8c0 5-3.500 7-6.500 9-3.500-2-7-4-7-9Z"
      />
    </g>
  );
}

/** Microphone of the radio, on the right shoulder, with its coiled cable. */
function ShoulderRadio() {
  return (
    <g>
      <path
        fill="none"
        stroke="#05090f"
        strokeWidth="4"
        strokeDasharray="2.200 1.600"
        d="M73 160c10 18 0 30 12 46 6 9 4 24 2 54"
      />
      <path
        fill="#05090f"
        d="M64 126h17c3 0 4 2 4 4v26c0 4-3 6-7 6H67c-4 0-7-2-7-6v-26c0-2 1-4 4-4Z"
      />
      <path stroke="#41506b" strokeWidth="2" d="M65 133h15M65 138h15M65 143h15" />
      <path fill="#6fcf9c" d="M77 152h.1a1.800 1.800 0 1 1-.1 0Z" />
    </g>
  );
}

export type OfficerProps = FaceProps & {
  headgear: 'cap' | 'beret';
  shirt?: string;
  sleeve?: string;
  hasRadio?: boolean;
  /** Hair below the headgear. */
  hair?: 'short' | 'bun';
};

export function Officer(props: OfficerProps) {
  const { headgear, shirt = '#1c375f', sleeve = '#27487a', hasRadio, hair, ...face } = props;
  return (
    <g>
      {hair === 'bun' && (
        <path
          fill="#100a07"
          d="M-34 62c-6-22-4-40 6-50h56c10 10 12 28 6 50l-5 22c-4 9-9 13-14 16h-30c-5-3-10-7-14-16Z"
        />
      )}
      <g transform="scale(.88 1)">
        <Uniform shirt={shirt} sleeve={sleeve} />
        {hasRadio && <ShoulderRadio />}
      </g>
      <Face {...face} />
      {hair === 'short' && (
        <path
          fill="#100a07"
          d="M-32 36h4c-2 8-2 15-2 23-3-6-4-15-2-23ZM32 36h-4c2 8 2 15 2 23 3-6 4-15 2-23Z"
        />
      )}
      {hair === 'bun' && (
        <path
          fill="#100a07"
          d="M-33 34h10c-5 8-7 17-7 28-4-8-5-18-3-28ZM33 34H23c5 8 7 17 7 28 4-8 5-18 3-28Z"
        />
      )}
      {headgear === 'cap' ? <PeakedCap /> : <Beret />}
    </g>
  );
}
