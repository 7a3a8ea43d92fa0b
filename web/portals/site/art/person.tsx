// People for the team pictures: head and shoulders, seen from the front, drawn around x = 0 and 260 units tall.

const STAR = 'M0-9l2.1 6.2 6.5.1-5.2 4 1.9 6.3L0 3.9l-5.3 3.7 1.9-6.3-5.2-4 6.5-.1Z';

const BRASS = '#d0a955';

type HeadProps = { skin: string };

/** Neck, head and the soft shadow of light that comes from the left. */
function Head({ skin }: HeadProps) {
  return (
    <g>
      <path fill={skin} d="M-17 76h34v30c-8 14-26 14-34 0Z" />
      <path fillOpacity=".28" d="M-17 88c10 12 24 12 34-2v20c-8 14-26 14-34 0Z" />
      <ellipse cx="-31" cy="58" rx="5" ry="9" fill={skin} />
      <ellipse cx="31" cy="58" rx="5" ry="9" fill={skin} />
      <path fill={skin} d="M-31 44c0-48 62-48 62 0 1 30-10 52-31 54-21-2-32-24-31-54Z" />
      <path fillOpacity=".16" d="M6 9c24 4 26 28 25 40 0 28-10 47-31 49 14-18 16-56 6-89Z" />
    </g>
  );
}

type OfficerProps = HeadProps & { shirt?: string };

/** A uniformed officer with beret, tie, epaulettes and the star on the chest. */
export function Officer({ skin, shirt = '#1c375f' }: OfficerProps) {
  return (
    <g>
      <path
        fill={shirt}
        d="M-20 102c-18 10-54 14-72 26-14 10-18 52-20 132h224c-2-80-6-122-20-132-18-12-54-16-72-26L0 106Z"
      />
      <path
        fillOpacity=".18"
        d="M0 122l20-20c18 10 54 14 72 26 14 10 18 52 20 132H30C44 210 40 160 0 122Z"
      />
      <Head skin={skin} />
      <path fill="#081120" d="M-7 120H7l6 92-13 16-13-16Z" />
      <path fill="#2a4d80" d="M-20 100l20 22-16 18-18-32ZM20 100L0 122l16 18 18-32Z" />
      <path
        fill="none"
        stroke="#0c1a30"
        strokeOpacity=".7"
        strokeWidth="2.5"
        d="M-70 168h42v9l-21 8-21-8ZM28 168h42v9l-21 8-21-8Z"
      />
      <path
        fill="none"
        stroke={BRASS}
        strokeLinecap="round"
        strokeWidth="5"
        d="M-82 125l28-9M82 125l-28-9"
      />
      <path fill={BRASS} transform="translate(49 150)" d={STAR} />
      <path fill={BRASS} d="M-66 153h34v6h-34Z" />
      <path
        fill="#081120"
        d="M-36 44C-46 8-22-8 8-7c30 1 48 18 44 35-4 12-14 12-21 8-22-6-46-2-67 8Z"
      />
      <path
        fill="none"
        stroke={BRASS}
        strokeOpacity=".8"
        strokeWidth="2"
        d="M-36 44c22-10 44-13 66-8"
      />
      <path fill={BRASS} transform="translate(-12 22) scale(.9)" d={STAR} />
    </g>
  );
}

type ManagerProps = HeadProps & {
  jacket: string;
  tie?: string;
  hair: 'short' | 'bun' | 'bald' | 'wrap';
};

const HAIR = {
  short: 'M-33 46c-6-56 72-56 66 0-5-16-12-22-33-22s-28 6-33 22Z',
  bun: 'M-14-6a14 14 0 1 1 28 0c18 6 23 26 20 52-4-20-12-30-34-30s-30 10-34 30c-3-26 2-46 20-52Z',
  wrap: 'M-35 40c-10-34 0-58 24-60 4-12 26-14 30-2 22 6 26 32 17 62-16-16-52-18-71 0Z',
};

/** A manager in a suit. */
export function Manager({ skin, jacket, tie, hair }: ManagerProps) {
  return (
    <g>
      <path
        fill={jacket}
        d="M-22 102c-18 10-50 14-68 26-14 10-18 52-20 132h220c-2-80-6-122-20-132-18-12-50-16-68-26L0 150Z"
      />
      <path fill="#f1efe8" d="M-22 101L0 118l22-17 8 12L0 204l-30-91Z" />
      <Head skin={skin} />
      {tie && <path fill={tie} d="M-6 122H6l7 56-13 24-13-24Z" />}
      <path
        fillOpacity=".22"
        d="M-22 101l-20 12 8 32-12 6L0 206V170ZM22 101l20 12-8 32 12 6L0 206V170Z"
      />
      {hair !== 'bald' && <path fill={hair === 'wrap' ? '#96701f' : '#120d0a'} d={HAIR[hair]} />}
      {hair === 'wrap' && (
        <path
          fill="none"
          stroke="#e2c684"
          strokeWidth="2"
          d="M-33 28c20-14 46-16 68-4M-28 8c18-12 40-14 60-4"
        />
      )}
    </g>
  );
}
