// A gate at night with a lit guardhouse and an officer on patrol.
import { GuardFromBehind } from './guard-back.tsx';

const BARS = [206, 228, 250, 272, 294, 316, 338];

/** Decorative. */
export function TeamNight({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 480 360" className={className} aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id="late" x2="0" y2="1">
          <stop stopColor="#060d19" />
          <stop offset="1" stopColor="#24426c" />
        </linearGradient>
        <radialGradient id="gate-lamp">
          <stop stopColor="#fbeecb" stopOpacity=".8" />
          <stop offset=".3" stopColor="#e2c684" stopOpacity=".34" />
          <stop offset="1" stopColor="#e2c684" stopOpacity="0" />
        </radialGradient>
      </defs>
      <path fill="url(#late)" d="M0 0h480v360H0Z" />
      <path
        stroke="#f1efe8"
        strokeOpacity=".7"
        strokeWidth="2"
        strokeLinecap="round"
        d="M40 40h.1M96 88h.1M150 30h.1M214 66h.1M280 34h.1M330 84h.1M446 120h.1M26 130h.1M180 112h.1"
      />
      <path fill="#f3dfa9" d="M420 34a34 34 0 1 0 26 54 28 28 0 0 1-26-54Z" />
      <path fill="#0c1a30" d="M150 300V176h58l56-44 58 44h48v124Z" />
      <path fill="#e2c684" fillOpacity=".75" d="M242 196h18v22h-18ZM270 196h18v22h-18Z" />
      <path
        fill="#081120"
        d="M0 190h136v150H0ZM0 178h150v16H0ZM400 206h80v140h-80ZM392 194h88v16h-88Z"
      />
      <path
        fill="#132745"
        d="M176 150h26v192h-26ZM170 140h38v14h-38ZM356 150h26v192h-26ZM350 140h38v14h-38Z"
      />
      <path fill="#fbeecb" d="M182 118h14v22h-14ZM362 118h14v22h-14Z" />
      <circle cx="189" cy="129" r="74" fill="url(#gate-lamp)" />
      <circle cx="369" cy="129" r="74" fill="url(#gate-lamp)" />
      <g stroke="#b78c35" strokeWidth="3.5">
        {BARS.map((x) => (
          <path key={x} d={`M${x} ${178 - Math.round(14 * Math.cos((x - 272) / 50))}V338`} />
        ))}
        <path fill="none" d="M204 196h148M204 318h148" />
      </g>
      <path fill="#132745" d="M24 150h104v190H24Z" />
      <path fill="#0c1a30" d="M12 138h128v14H12Z" />
      <path fill="#f3dfa9" d="M40 178h72v64H40Z" />
      <path fill="#132745" d="M74 178h4v64h-4ZM40 206h72v4H40Z" />
      <path fill="#5b3822" d="M86 226a13 15 0 1 1 22 0v4H86Z" />
      <path fill="#081120" d="M82 242c2-14 28-14 30 0ZM83 212c2-14 26-16 30-2Z" />
      <path fill="#050b16" d="M0 336h480v24H0Z" />
      <path fill="#e2c684" fillOpacity=".14" d="M369 142l-110 196h220Z" />
      <g transform="translate(424 152) scale(-.36 .36)">
        <GuardFromBehind />
      </g>
    </svg>
  );
}
