// A guard on watch in profile, looking to the left. Drawn around x = 0, 560 units tall; the light comes from the left.

/** For use inside an SVG; place it with a transform. Night colours, the same in both themes. */
export function GuardOnWatch() {
  return (
    <g>
      {/* Body: chest to the left, arms behind the back. */}
      <path fill="#0a1628" d="M-56 300h112l12 260H4l-6-150-8 150h-58Z" />
      <path
        fill="#0c1a30"
        d="M-22 122c-14 10-30 16-37 32-8 20-6 56-1 92 3 26 4 40 4 56H56c6-22 14-46 18-74 5-36-2-70-20-86-12-10-26-14-33-20Z"
      />
      <path
        fill="#16294a"
        d="M-22 122c-14 10-30 16-37 32-8 20-6 56-1 92 3 26 4 40 4 56h16c-6-60 0-108 18-142 6-12 12-20 14-28Z"
      />
      {/* The arm, folded to the back. */}
      <path
        fill="#12233f"
        stroke="#050b16"
        strokeWidth="2"
        d="M10 150c26-10 48 4 52 30 4 30 5 48 4 62l26 20c6 6 5 15-1 21s-14 5-20 1L28 262c-8-6-10-14-9-24 2-22 2-42-4-56-6-14-16-26-5-32Z"
      />
      <path
        fill="none"
        stroke="#2c4a79"
        strokeWidth="2.400"
        strokeLinecap="round"
        d="M14 152c18-6 34 0 42 18M24 240c4 8 12 14 20 20"
      />
      <path fill="#4a2d1d" d="M82 262c6-3 12-2 15 2l6 9c2 4 0 8-4 9l-12 4c-5 1-10-1-13-5l-4-6Z" />
      <path
        fill="none"
        stroke="#2b170c"
        strokeLinecap="round"
        strokeWidth="1.500"
        d="M88 276l12-4M86 281l13-3M84 270l12-4"
      />
      {/* Belt with holster and radio. */}
      <path fill="#03070d" d="M-57 296h115l1 18H-57Z" />
      <path fill="#d0a955" d="M-46 296h18v18h-18Z" />
      <path fill="#0a1628" d="M-42 300h10v10h-10Z" />
      <path fill="#03070d" d="M-14 306h26v46c0 6-26 6-26 0ZM-10 280h5v28h-5Z" />
      <path
        fill="none"
        stroke="#03070d"
        strokeWidth="3.500"
        strokeDasharray="2.500 2"
        d="M-8 286c-6-40-24-70-18-118"
      />
      <path
        fill="#03070d"
        d="M-38 148h15c3 0 4 3 4 5l-2 22c0 3-2 5-5 5h-10c-3 0-5-2-5-5l-1-22c0-3 1-5 4-5Z"
      />
      {/* Patch and rank. */}
      <path fill="#d0a955" d="M26 184l14-5 13 6v13c0 8-6 12-13 14-7-3-14-7-14-15Z" />
      <path fill="#0a1628" d="M30 187l10-4 9 4v10c0 6-4 9-9 11-5-2-10-5-10-11Z" />
      <path
        fill="#d0a955"
        d="M39.500 189l2 5 5 .4-4 3.300 1.300 5-4.300-2.700-4.300 2.700 1.300-5-4-3.300 5-.4Z"
      />
      <path fill="#050b16" d="M-14 138c14-6 36-4 52 10l-8 10c-14-10-30-12-42-8Z" />
      <path stroke="#d0a955" strokeWidth="3.600" d="M16 138l-5 12M24 142l-6 12" />
      {/* Neck, head. */}
      <path fill="#2b170c" d="M-18 104c-2 12-2 18-5 26 12 14 40 14 52 0-4-8-4-20-2-40Z" />
      <path fill="#22406c" d="M-25 122c10 12 38 14 56 0l4 14c-18 16-48 16-64 0Z" />
      <path
        fill="#4a2d1d"
        d="M-31 40c-1 5-3 9-2 13 1 5-2 8-5 13-3 4-8 8-7 11s6 2 8 4c1 2-2 4-2 6 0 1 2 2 2 3 0 2-2 3-1 5 1 3 3 3 2 6-1 5 1 10 7 12 8 2 16-1 24-6C12 98 30 84 36 62c3-14 2-22 0-30Z"
      />
      <path
        fill="#1a0c05"
        fillOpacity=".5"
        d="M-4 42c2 22-2 44-20 72 8 0 12-2 19-7C12 98 30 84 36 62c3-14 2-22 0-30Z"
      />
      <path
        fill="none"
        stroke="#ffcf8f"
        strokeOpacity=".75"
        strokeLinecap="round"
        strokeWidth="2.200"
        d="M-32 44c-1 4-2 7-1 10 1 5-2 8-5 13-2 4-6 6-6 9M-36 98c-1 4 0 9 5 12"
      />
      <path fill="#f0e2cc" d="M-31 57c3-2 7-2 10 .6-3 2.400-7 2.600-10-.6Z" />
      <circle cx="-27.500" cy="57" r="2.300" fill="#0d0603" />
      <path
        fill="none"
        stroke="#0d0603"
        strokeLinecap="round"
        strokeWidth="1.800"
        d="M-32 56.500c3-3.500 8-3.500 12.500.6"
      />
      <path
        fill="none"
        stroke="#0d0603"
        strokeLinecap="round"
        strokeWidth="3"
        d="M-33 48c5-3 11-3 15 0"
      />
      <path
        fill="none"
        stroke="#1a0c05"
        strokeLinecap="round"
        strokeWidth="1.800"
        d="M-37 76c2-2 5-2 6 1M-35 88.500c4 .5 8 0 11-2"
      />
      <path
        fill="#7a3b30"
        d="M-36 84c3-1 8 0 11 3-4 1.600-7 1.700-10 1.500-1-.6-2-3-1-4.500ZM-35 89.500c4 .5 7 0 9-1.300 0 4-4 6.500-8 5.800-2-1-2-3-1-4.500Z"
      />
      <path fill="#5a3723" d="M10 58c8-6 16 0 14 10-1 8-6 14-11 12-4-3-5-16-3-22Z" />
      <path fill="none" stroke="#1a0c05" strokeWidth="1.800" d="M13 62c5-2 8 2 6 8-1 4-3 6-5 6" />
      <path fill="#0d0705" d="M6 40c0 8 0 14-2 20 3 0 6-2 8-4 8-4 14 0 14 10 6-6 12-18 11-32Z" />
      {/* Peaked cap. */}
      <path
        fill="#0a1526"
        d="M-36 32c-12-6-16-18-8-24C-30-4 2-10 30-2c18 5 22 18 12 26 0 6-2 12-4 16-24-8-50-10-74-8Z"
      />
      <path fill="#1f3a66" d="M-44 8C-30-4 2-10 30-2c6 2 11 4 14 8-26-10-58-8-88 2Z" />
      <path fill="#0a1526" d="M-36 28c26-2 52 0 76 8l-4 9c-22-9-48-11-72-9Z" />
      <path fill="none" stroke="#d0a955" strokeWidth="3" d="M-35 30c24-2 50 0 74 8" />
      <path
        fill="#04080f"
        d="M-34 31c-12 2-24 8-28 15 12 4 30 0 48-3 8-2 10-8 6-11-8-1-18-2-26-1Z"
      />
      <path
        fill="none"
        stroke="#ffdfa6"
        strokeOpacity=".8"
        strokeLinecap="round"
        strokeWidth="1.800"
        d="M-36 33c-10 2-20 7-24 12"
      />
      <path fill="#d0a955" d="M-36 8l9-4 8 5v9c0 6-4 9-8 10-5-2-9-5-9-10Z" />
      {/* Light on the edge of the body. */}
      <path
        fill="none"
        stroke="#d0a955"
        strokeLinecap="round"
        strokeOpacity=".85"
        strokeWidth="2.600"
        d="M-24 124c-13 9-28 15-35 30-8 20-6 56-1 92 2 20 3 32 4 44M-57 322l-10 238"
      />
    </g>
  );
}
