import type { UseQueryResult } from '@tanstack/react-query';

/** Nothing moves under a finger: what is above is known, or has failed once, before what is below appears. */
export const isKnown = ({ data, failureCount }: UseQueryResult): boolean =>
  data !== undefined || failureCount > 0;
