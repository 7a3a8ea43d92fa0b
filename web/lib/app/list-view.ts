// Tables where the usual view of a list is cards.
import { deviceChoice } from './device-choice.ts';

export const { use: useTableView, set: setTableView } = deviceChoice({
  key: 'list-view',
  on: 'table',
  off: 'cards',
});
