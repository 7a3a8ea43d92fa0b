import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { bookSearch } from '#web/features/posts/book/search.ts';
import { adminRoute, list } from './admin-route.ts';

const siteRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/sites/$id',
  component: lazyRouteComponent(() => import('../place-screens.tsx'), 'SiteScreen'),
});

const siteBookRoute = list(
  '/sites/$id/book',
  bookSearch,
  'Book of the Post',
  async () => (await import('../site-book-page.tsx')).SiteBookPage,
);

const clientRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: '/clients/$id',
  component: lazyRouteComponent(() => import('../place-screens.tsx'), 'ClientScreen'),
});

export const placeRoutes = [siteRoute, siteBookRoute, clientRoute] as const;
