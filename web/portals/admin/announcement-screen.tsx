import { getRouteApi } from '@tanstack/react-router';
import { AnnouncementPage } from '#web/features/notices/announcements/announcement-page.tsx';
import type { ReaderSearch } from '#web/features/notices/announcements/search.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';

const route = getRouteApi('/admin/announcements/$id');

type ScreenProps = { search: ReaderSearch; onChange: ChangeSearch<ReaderSearch> };

export function AnnouncementScreen(props: ScreenProps) {
  const { id } = route.useParams();
  return <AnnouncementPage key={id} id={id} {...props} />;
}
