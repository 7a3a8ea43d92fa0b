// One line drawing per service, on a 48 unit square, in the text colour.
import type { ReactElement } from 'react';

export type ServiceIconName = 'facility' | 'escort' | 'event' | 'camera' | 'patrol' | 'response';

const DRAWINGS: Record<ServiceIconName, ReactElement> = {
  facility: (
    <>
      <path d="M6 42h36M10 42V20M38 42V20M6 20 24 8l18 12ZM17 42V26M24 42V26M31 42V26" />
      <path d="M24 13.500v2.5" />
    </>
  ),
  escort: (
    <>
      <path d="M5 33v-7l5-2 5-9h15l7 9 6 2v7h-4M31 33H18M9 33H5" />
      <path d="M13.5 37.500a4.5 4.5 0 1 1 .1 0ZM35 37.500a4.5 4.5 0 1 1 .1 0ZM10 24h27M22 15v9" />
    </>
  ),
  event: (
    <>
      <path d="M6 42V16l18-8 18 8v26M6 16h36M6 42h6M36 42h6" />
      <path d="M12 42V30M36 42V30M12 33c8 5 16 5 24 0M24 22a3 3 0 1 1 .1 0Z" />
    </>
  ),
  camera: (
    <>
      <path d="M7 12l27 7-3 12-27-7ZM34 21l8 4-1.5 6-9-2M16 28l-3 9M6 37h14" />
      <path d="M12 19.500l5 1.3" />
    </>
  ),
  patrol: (
    <>
      <path d="M24 43S10 31 10 20a14 14 0 0 1 28 0c0 11-14 23-14 23Z" />
      <path d="M24 12v8l6 4M24 30a10 10 0 1 1 .1 0Z" />
    </>
  ),
  response: (
    <>
      <path d="M10 36a14 14 0 0 1 28 0ZM6 36h36v6H6Z" />
      <path d="M24 16V7M11 20 5 14M37 20l6-6M24 36v-7" />
    </>
  ),
};

export function ServiceIcon({ name, className }: { name: ServiceIconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 48 48"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {DRAWINGS[name]}
    </svg>
  );
}
