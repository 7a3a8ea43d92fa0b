// Whether enquiries are shown as a board by stage; the list is the usual view.
import { deviceChoice } from '#web/lib/app/device-choice.ts';

export const { use: useBoardView, set: setBoardView } = deviceChoice({
  key: 'enquiry-view',
  on: 'board',
  off: 'list',
});
