import { getRouteApi, Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { BookSearch } from '#web/features/posts/book/search.ts';
import { SiteBookScreen } from '#web/features/posts/book/site-book-screen.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';

const route = getRouteApi('/admin/sites/$id/book');

type SiteBookPageProps = { search: BookSearch; onChange: ChangeSearch<BookSearch> };

export function SiteBookPage(props: SiteBookPageProps) {
  const { id } = route.useParams();
  return (
    <>
      <nav aria-label="Breadcrumb" className="mb-2 text-sm text-muted print:hidden">
        <Link
          to="/admin/sites/$id"
          params={{ id }}
          className="-mx-1 inline-flex min-h-11 items-center gap-1 rounded-xs px-1 underline decoration-transparent underline-offset-4 hover:text-ink hover:decoration-accent sm:min-h-8"
        >
          <ChevronLeft aria-hidden="true" className="size-4" /> The site’s page
        </Link>
      </nav>
      <SiteBookScreen key={id} siteId={id} {...props} />
    </>
  );
}
