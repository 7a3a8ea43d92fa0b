// Managers in suits: head and chest, seen from the front, around x = 0 and 260 units tall. Light comes from the left.
import { Face, type FaceProps } from './face.tsx';

type Hair = 'crop' | 'grey' | 'bald' | 'bun' | 'wrap' | 'braids';

const BLACK = '#120c09';

/** Behind the head. */
function HairBehind({ hair }: { hair: Hair }) {
  if (hair === 'braids') {
    return (
      <path
        fill={BLACK}
        d="M-36 50C-46-14 46-14 36 50c4 26 8 52 4 80-10 8-22 6-28-2h-24c-6 8-18 10-28 2-4-28 0-54 4-80Z"
      />
    );
  }
  if (hair === 'bun') return <path fill={BLACK} d="M-16-4a16 15 0 1 1 32 0 16 15 0 1 1-32 0Z" />;
  return null;
}

const CROP = 'M-33 48c-7-62 73-62 66 0-2-12-4-20-9-25-12-5-36-5-48 0-5 5-7 13-9 25Z';

function HairInFront({ hair }: { hair: Hair }) {
  if (hair === 'crop') return <path fill={BLACK} d={CROP} />;
  if (hair === 'grey') return <path fill="#77716b" d={CROP} />;
  if (hair === 'bun')
    return (
      <path
        fill={BLACK}
        d="M-33 50C-42-12 42-12 33 50c-1-15-7-25-16-29C6 17-6 17-17 21c-9 4-15 14-16 29Z"
      />
    );
  if (hair === 'braids') {
    return (
      <g>
        <path fill={BLACK} d="M-34 56C-44-14 44-14 34 56c-1-18-8-32-32-36-22 4-34 18-36 36Z" />
        <path
          fill="none"
          stroke="#3a2a20"
          strokeWidth="1.500"
          d="M2-1v20M-10 1c0 8 2 14 6 19M14 1c0 8-2 14-6 19M-22 8c4 6 8 10 12 13M26 8c-4 6-8 10-12 13"
        />
      </g>
    );
  }
  if (hair === 'wrap') {
    return (
      <g>
        <path
          fill="#8a5a14"
          d="M-34 50c-14-40-4-70 22-71 6-12 28-13 32-1 22 6 30 34 14 72-2-18-14-26-34-26s-32 8-34 26Z"
        />
        <path fill="#b5822b" d="M-37 40c-8-32 2-52 25-59 2 18-6 42-25 59Z" />
        <path
          fill="none"
          stroke="#e7c983"
          strokeWidth="2.200"
          d="M-38 32c22-17 56-18 76-2M-36 14c20-14 52-15 72-2M-26-4C-12-13 16-13 30-4M-10-19c8 4 20 4 28 0"
        />
      </g>
    );
  }
  return null;
}

export type ManagerProps = FaceProps & {
  hair: Hair;
  jacket: string;
  /** None: an open blouse. */
  tie?: string;
  blouse?: string;
};

export function Manager({ hair, jacket, tie, blouse = '#f1efe8', ...face }: ManagerProps) {
  const { skin } = face;
  return (
    <g>
      <HairBehind hair={hair} />
      <path
        transform="scale(.88 1)"
        fill={jacket}
        d="M-22 103c-20 10-50 13-68 25-15 10-20 54-22 132v80h224v-80c-2-78-7-122-22-132-18-12-48-15-68-25L0 150Z"
      />
      <path
        transform="scale(.88 1)"
        fill="#05070c"
        fillOpacity=".24"
        d="M8 160l14-57c20 10 50 13 68 25 15 10 20 54 22 132v80H40C50 240 36 190 8 160Z"
      />
      <path fill={blouse} d="M-22 102 0 122l22-20 10 14L0 214l-32-98Z" />
      <Face {...face} />
      {tie ? (
        <g>
          <path fill="#fff" d="M-21 100 0 121l-13 19-18-28ZM21 100 0 121l13 19 18-28Z" />
          <path
            fill="none"
            stroke="#b9b3a4"
            strokeWidth="1.400"
            d="M-21 100 0 121l-13 19-18-28M21 100 0 121l13 19 18-28"
          />
          <path fill={tie} d="M-7 122H7l-3 11 9 58-13 20-13-20 9-58Z" />
          <path fill="#05070c" fillOpacity=".25" d="M0 122h7l-3 11 9 58-13 20Z" />
        </g>
      ) : (
        <g>
          <path fill={skin.base} d="M-17 103c6 8 28 8 34 0L0 146Z" />
          <path fill={skin.shade} fillOpacity=".5" d="M-17 103c6 8 28 8 34 0L0 132Z" />
          <path
            fill="none"
            stroke="#d0a955"
            strokeWidth="1.600"
            d="M-16 108c4 14 10 20 16 22 6-2 12-8 16-22"
          />
          <path fill="#d0a955" d="M0 129h.1a3 3 0 1 1-.1 0Z" />
        </g>
      )}
      <path fill={jacket} d="M-23 101l-18 12 6 36-12 8L0 214ZM23 101l18 12-6 36 12 8L0 214Z" />
      <path
        fill="#05070c"
        fillOpacity=".3"
        d="M-23 101l-4 2c2 40 12 76 27 111ZM23 101l4 2c-2 40-12 76-27 111Z"
      />
      <path
        fill="none"
        stroke="#05070c"
        strokeOpacity=".4"
        strokeWidth="1.500"
        d="M-41 113l6 36-12 8L0 214l47-57-12-8 6-36"
      />
      <path fill="#d0a955" d="M-39 136l5-2 5 2v5c0 4-3 5-5 6-2-1-5-2-5-6Z" />
      <HairInFront hair={hair} />
    </g>
  );
}
