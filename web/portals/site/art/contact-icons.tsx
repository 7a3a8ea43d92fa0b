type Props = { className?: string };

export function PhoneIcon({ className }: Props) {
  return (
    <svg viewBox="0 0 24 24" className={className} aria-hidden="true" focusable="false">
      <path
        fill="currentColor"
        d="M6.600 2.500 9 2l2.500 5.600L9 9.600c1 2.300 3 4.400 5.400 5.400l2-2.500L22 15l-.5 2.400c-.5 2.400-2.500 4-5 3.600C9.500 20 4 14.500 3 7.500c-.4-2.500 1.200-4.500 3.600-5Z"
      />
    </svg>
  );
}

/** A speech bubble with a receiver. */
export function WhatsAppIcon({ className }: Props) {
  return (
    <svg viewBox="0 0 24 24" className={className} aria-hidden="true" focusable="false">
      <path
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
        d="M3.500 20.500 4.900 16A8.800 8.800 0 1 1 8.200 19.200Z"
      />
      <path
        fill="currentColor"
        d="M9 7.500 10.200 7l1.300 2.800-1.200 1.200c.6 1.200 1.500 2 2.700 2.700l1.200-1.200 2.800 1.300-.5 1.200c-.5 1.300-1.600 1.700-2.900 1.300-2.800-.8-5-3-5.900-5.900-.4-1.300 0-2.400 1.300-2.900Z"
      />
    </svg>
  );
}
