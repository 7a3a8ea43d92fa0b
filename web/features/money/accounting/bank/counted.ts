import { formatCount } from '#shared/count.ts';

export const countLines = (count: number) =>
  count === 1 ? '1 line' : `${formatCount(count)} lines`;
