import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isKnown } from '#web/lib/cache/is-known.ts';

type BelowProps = {
  /** Queries of the content above. */
  queries: readonly UseQueryResult[];
  children: ReactNode;
};

/** Loads with what is above it and shows after it, so that rows that come late push nothing away from a finger. */
export function Below({ queries, children }: BelowProps) {
  return (
    <div hidden={!queries.every(isKnown)} className="contents">
      {children}
    </div>
  );
}
