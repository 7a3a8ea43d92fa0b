// Heads for the pictures of people: seen from the front, around x = 0, crown at y = 2, chin at y = 106. Light comes from the left.

export type Skin = { base: string; shade: string; light: string; lip: string };

export const SKINS = {
  ebony: { base: '#4a2d1d', shade: '#301a10', light: '#6d452d', lip: '#6a3129' },
  umber: { base: '#613a24', shade: '#432414', light: '#855437', lip: '#7d3d31' },
  sienna: { base: '#7c4e31', shade: '#5a3520', light: '#a06b47', lip: '#8e483a' },
  bronze: { base: '#986643', shade: '#744a2e', light: '#b9855d', lip: '#a0584a' },
} as const satisfies Record<string, Skin>;

const LINE = '#1c0e07';

const SHAPES = {
  oval: 'M-30 46c0-58 60-58 60 0 1 20-2 35-9 46-6 9-13 14-21 14s-15-5-21-14c-7-11-10-26-9-46Z',
  square: 'M-31 46c0-58 62-58 62 0 1 18 0 34-4 44-4 9-15 16-27 16s-23-7-27-16c-4-10-5-26-4-44Z',
  round: 'M-32 48c0-61 64-61 64 0 1 18-1 32-7 42-6 9-15 15-25 15s-19-6-25-15c-6-10-8-24-7-42Z',
} as const;

type EyeProps = { skin: Skin; brow: string; soft: boolean };

/** The left one; the other is its mirror image, except for the highlight. */
function Eye({ skin, brow, soft }: EyeProps) {
  return (
    <g>
      <path fill={skin.shade} fillOpacity=".55" d="M-9-2c4-7 14-7 18 0-1 5-16 6-18 0Z" />
      <path
        fill="#ebdfcf"
        d="M-7.200.4c3.400-4.800 10.600-5 14.400-.4-3.600 3.800-10.800 4-14.400.4Z"
      />
      <circle cx=".2" cy="-.6" r="3.300" fill="#24130a" />
      <path
        fill="none"
        stroke={LINE}
        strokeWidth={soft ? 2 : 1.6}
        strokeLinecap="round"
        d={
          soft
            ? 'M-8.600-.8c3.400-5 12.200-5.400 16.200-.6'
            : 'M-7.800.3c3.200-5.100 11.400-5.500 15.400-.5'
        }
      />
      <path
        fill={brow}
        d={
          soft
            ? 'M-10-8.500c4.500-5.500 12.500-6 18-2.800-5.500-1-12-.4-17.200 3.600Z'
            : 'M-10.500-8c3.500-5.500 12.500-6.500 19-3-.2 1.400-.6 2-1 2.600-5.500-1.600-11-1.200-17 2.200Z'
        }
      />
    </g>
  );
}

const MOUTHS = {
  calm: {
    line: 'M-12 87c4 1.200 8 .2 12 .6 4-.4 8 .6 12-.6',
    upper:
      'M-11.500 87c3.500-2.600 7.500-4.600 10-3.800 1 .4 2 .4 3 0 2.500-.8 6.500 1.200 10 3.800-4 1-8 .2-11.500.6-3.500-.4-7.500.4-11.500-.6Z',
    lower: 'M-10 88c3.500 5.800 16.500 5.800 20 0-3.400.6-6.500.2-10 .2s-6.600.4-10-.2Z',
  },
  smile: {
    line: 'M-14 84.500c4 4 9 4.400 14 4.600 5-.2 10-.6 14-4.600',
    upper:
      'M-13 85c4-1.800 8.500-3 11.500-2.200 1 .3 2 .3 3 0 3-.8 7.500.4 11.500 2.200-4 3.200-8.500 3.800-13 4-4.500-.2-9-.8-13-4Z',
    lower: 'M-11 87.500c4.500 7.800 17.500 7.800 22 0-3.500 1.600-7 2-11 2s-7.500-.4-11-2Z',
  },
} as const;

type FadeProps = { id: string; from: string; to: string };

/** A gradient from top to bottom. */
export const Fade = ({ id, from, to }: FadeProps) => (
  <linearGradient id={id} x2="0" y2="1">
    <stop stopColor={from} />
    <stop offset="1" stopColor={to} />
  </linearGradient>
);

/** Gradients of the faces; once in each picture. */
export function FaceDefs() {
  return (
    <defs>
      <linearGradient id="turn">
        <stop offset=".5" stopColor="#1a0b04" stopOpacity="0" />
        <stop offset="1" stopColor="#1a0b04" stopOpacity=".5" />
      </linearGradient>
      <radialGradient id="sheen">
        <stop stopColor="#ffd2a1" stopOpacity=".24" />
        <stop offset="1" stopColor="#ffd2a1" stopOpacity="0" />
      </radialGradient>
    </defs>
  );
}

export type FaceProps = {
  skin: Skin;
  shape?: keyof typeof SHAPES;
  mouth?: keyof typeof MOUTHS;
  /** Lashes and thinner brows. */
  soft?: boolean;
  beard?: 'full' | 'moustache' | 'none';
  brow?: string;
  glasses?: boolean;
  /** Lines of age beside nose and mouth. */
  mature?: boolean;
};

function Beard({ kind, colour }: { kind: FaceProps['beard']; colour: string }) {
  return (
    <>
      {kind === 'full' && (
        <path
          fill={colour}
          fillOpacity=".82"
          d="M-30 60c0 14 3 26 8 33 6 9 14 13 22 13s16-4 22-13c5-7 8-19 8-33-3 9-6 15-11 19-3-2-9-3-19-3s-16 1-19 3c-5-4-8-10-11-19Z"
        />
      )}
      {kind !== 'none' && (
        <path
          fill={colour}
          fillOpacity=".9"
          d="M-14 84c2-5 9-7 14-5 5-2 12 0 14 5-4-2-9-2.500-14-2.200-5-.3-10 .2-14 2.200Z"
        />
      )}
    </>
  );
}

/** Neck, ears and face; hair, headgear and clothes are drawn over it. */
export function Face(props: FaceProps) {
  const { skin, shape = 'oval', mouth = 'calm', soft = false, mature = false } = props;
  const { beard = 'none', brow = '#150c07', glasses = false } = props;
  const head = SHAPES[shape];
  const lips = MOUTHS[mouth];
  return (
    <g>
      <path fill={skin.base} d="M-18 74h36v34c-8 15-28 15-36 0Z" />
      <path fill={skin.shade} d="M-18 90c8 12 28 18 36 4v14c-8 15-28 15-36 0Z" />
      <path fill={skin.base} d="M-28 50c-9-6-11 5-8 13 2 6 5 9 9 7Z" />
      <path fill={skin.shade} d="M28 50c9-6 11 5 8 13-2 6-5 9-9 7Z" />
      <path fill="none" stroke={skin.shade} strokeWidth="1.4" d="M-33 54c-2 3-1 7 2 10" />
      <path fill={skin.base} d={head} />
      <path fill="url(#turn)" d={head} />
      <ellipse cx="-17" cy="69" rx="12" ry="13" fill="url(#sheen)" />
      <ellipse cx="-8" cy="32" rx="20" ry="13" fill="url(#sheen)" />
      <Beard kind={beard} colour={brow} />
      <g transform="translate(-13 56)">
        <Eye skin={skin} brow={brow} soft={soft} />
      </g>
      <g transform="translate(13 56) scale(-1 1)">
        <Eye skin={skin} brow={brow} soft={soft} />
      </g>
      <path
        fill="#fff"
        fillOpacity=".85"
        d="M-14 54.200h.1a.9.9 0 1 1-.1 0ZM12 54.200h.1a.9.9 0 1 1-.1 0Z"
      />
      <path
        fill={skin.shade}
        fillOpacity=".6"
        d="M4 52c0 8 2 13 6 18 3 4 0 8-5 7-2 0-4 1-5 2 1-9 1-19 4-27Z"
      />
      <path
        fill="none"
        stroke={skin.light}
        strokeOpacity=".75"
        strokeLinecap="round"
        strokeWidth="3.600"
        d="M-2 52c0 7-.6 12-.8 19"
      />
      <path
        fill="none"
        stroke={LINE}
        strokeOpacity=".75"
        strokeLinecap="round"
        strokeWidth="1.500"
        d="M-8.500 73c.2 3 2.200 4 4.500 2.800 2.300 1.700 5.700 1.700 8 0 2.300 1.200 4.300.2 4.500-2.800"
      />
      <path fill={skin.lip} d={lips.upper} />
      <path fill={skin.lip} d={lips.lower} />
      <path
        fill="none"
        stroke="#f0c9b8"
        strokeOpacity=".3"
        strokeLinecap="round"
        strokeWidth="1.600"
        d="M-4 91.200c2.500.9 4 .9 6 .3"
      />
      <path
        fill="none"
        stroke={LINE}
        strokeOpacity=".85"
        strokeLinecap="round"
        strokeWidth="1.400"
        d={lips.line}
      />
      {mature && (
        <path
          fill="none"
          stroke={skin.shade}
          strokeLinecap="round"
          strokeWidth="1.500"
          d="M-13 76c-3 3-5 6-5 10M13 76c3 3 5 6 5 10M-13 30c8-3 18-3 26 0M-11 35c7-2 15-2 22 0"
        />
      )}
      {glasses && (
        <g fill="#fff" fillOpacity=".1" stroke="#20170f" strokeWidth="2">
          <rect x="-24" y="48" width="21" height="17" rx="6" />
          <rect x="3" y="48" width="21" height="17" rx="6" />
          <path fill="none" d="M-3 54c2-2 4-2 6 0M-24 53l-7-2M24 53l7-2" />
        </g>
      )}
    </g>
  );
}
