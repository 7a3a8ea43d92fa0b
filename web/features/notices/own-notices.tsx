import { NoticeList } from './notice-list.tsx';
import { NoticeSettings } from './notice-settings.tsx';

/** The notices of the user in the admin portal. */
export const OwnNotices = () => (
  <div className="mx-auto grid max-w-3xl gap-6">
    <NoticeList level={2} />
    <NoticeSettings />
  </div>
);
