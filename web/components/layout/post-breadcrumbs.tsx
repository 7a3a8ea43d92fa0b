import { Breadcrumbs } from './breadcrumbs.tsx';

type PostBreadcrumbsProps = {
  /** The chosen site, which the list of posts keeps. */
  site: string | undefined;
  /** This page. */
  current: string;
};

export const PostBreadcrumbs = ({ site, current }: PostBreadcrumbsProps) => (
  <Breadcrumbs
    trail={[
      { label: 'Roster', to: '/admin/roster' },
      { label: 'Posts', to: '/admin/roster/posts', search: site === undefined ? {} : { site } },
    ]}
    current={current}
  />
);
