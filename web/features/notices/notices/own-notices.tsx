import { Below } from '#web/components/ui/below.tsx';
import { useNotices } from './api.ts';
import { NoticeList } from './notice-list.tsx';
import { NoticeSettings } from './notice-settings.tsx';

/** The notices of the user, and how they reach them. @param level of the heading */
export function NoticesWithSettings({ level }: { level: 1 | 2 }) {
  return (
    <>
      <NoticeList level={level} />
      <Below queries={[useNotices()]}>
        <NoticeSettings />
      </Below>
    </>
  );
}

/** In the admin portal. */
export const OwnNotices = () => (
  <div className="mx-auto grid max-w-3xl gap-6">
    <NoticesWithSettings level={2} />
  </div>
);
