// The company's mark: a parted shield, the lone star above a watchtower. web/public/favicon.svg is the same drawing.

type Props = { className?: string };

/** Decorative: the company's name always stands beside it. Colours stay the same in both themes. */
export function CompanyMark({ className }: Props) {
  return (
    <svg viewBox="0 0 48 56" className={className} aria-hidden="true" focusable="false">
      <path d="M24 1.5 45 8v20c0 13.4-9 21.8-21 26.5C12 49.8 3 41.4 3 28V8Z" fill="#d0a955" />
      <path
        d="M24 4 42.6 9.8V28c0 11.9-7.8 19.4-18.6 23.9C13.2 47.4 5.4 39.9 5.4 28V9.8Z"
        fill="#0c1a30"
      />
      <path d="M24 4v47.9C13.2 47.4 5.4 39.9 5.4 28V9.8Z" fill="#1c375f" />
      <path
        d="M24 9.6l2.06 5.16 5.55.37-4.27 3.56 1.35 5.39L24 21.12l-4.69 2.96 1.35-5.39-4.27-3.56 5.55-.37Z"
        fill="#e2c684"
      />
      <path d="M20 25.2h8v2.3h-1.5l2.3 15.5h-9.6l2.3-15.5H20Z" fill="#d0a955" />
      <path d="M24 25.2h4v2.3h-1.5L28.8 43H24Z" fill="#b78c35" />
      <path
        d="M12.5 44.6h23M16.5 47.9h15"
        fill="none"
        stroke="#d0a955"
        strokeWidth="1.3"
        strokeLinecap="round"
      />
    </svg>
  );
}
