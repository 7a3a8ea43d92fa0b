// A guard at ease, seen from behind. Drawn around x = 0, 560 units tall; the light comes from the right.

/** For use inside an SVG; place it with a transform. Night colours, the same in both themes. */
export function GuardFromBehind() {
  return (
    <g>
      <path
        fill="#050b16"
        d="M-17 84c-4 18-34 22-60 30-21 6-30 26-34 56-6 36-13 66-8 92 5 20 34 32 61 38v30c-4 70-8 142-10 230H-8L0 410 8 560h60c-2-88-6-160-10-230v-30c27-6 56-18 61-38 5-26-2-56-8-92-4-30-13-50-34-56-26-8-56-12-60-30Z"
      />
      <path fill="#0c1a30" d="M-72 186l6 88-26-16ZM72 186l-6 88 26-16Z" />
      <ellipse cy="54" rx="27" ry="37" fill="#050b16" />
      <path
        fill="#0b1628"
        d="M-31 36C-38 10-18-6 8-5c28 1 47 16 43 31-3 10-14 12-22 11-20-3-40-4-60-1Z"
      />
      <path fill="none" stroke="#132745" strokeWidth="3" d="M-58 312H58M-58 330H58" />
      <g fill="none" stroke="#d0a955" strokeLinecap="round" strokeWidth="2.6">
        <path d="M20 0c18 4 31 13 31 25M28 48c1 14-1 28-9 38M25 101c20 6 38 8 52 13 21 6 30 26 34 56 6 36 13 66 8 92" />
        <path strokeOpacity=".55" d="M59 332c4 70 7 150 9 228" />
        <path strokeWidth="5" d="M50 109l24 7" />
      </g>
    </g>
  );
}
