// The height of table rows. Styles use the variant `compact:` (theme.css).
import { deviceChoice } from './device-choice.ts';

const root = document.documentElement.dataset;

export const { use: useCompact, set: setCompact } = deviceChoice(
  { key: 'density', on: 'compact', off: 'comfortable' },
  (isCompact) => {
    if (isCompact) root.density = 'compact';
    else delete root.density;
  },
);
