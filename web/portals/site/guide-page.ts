import { company } from '#company';

type GuideLink = { name: string; title: string };
type GuidePage = GuideLink & {
  sections: readonly { anchor: string; heading: string }[];
  /** HTML. */
  content: string;
  /** All pages, in the order of the navigation. */
  pages: readonly GuideLink[];
};

/** Its title is too long for the navigation. */
const INDEX = 'index.html';

/** A page of the guide. Its files are served with a policy that allows no inline styles or scripts. */
export function guidePage({ name, title, sections, content, pages }: GuidePage): string {
  const roles = pages.map((page) => {
    const current = page.name === name ? ' aria-current="page"' : '';
    return `<li><a href="/guide/${page.name}"${current}>${page.name === INDEX ? 'Guide' : page.title}</a></li>`;
  });
  const contents = sections.map(
    ({ anchor, heading }) => `<li><a href="#${anchor}">${heading}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} | ${company.name}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script src="/theme.js"></script>
<link rel="stylesheet" href="/guide/guide.css">
</head>
<body>
<header>
<p class="company"><a href="/auth">${company.name}</a></p>
<nav aria-label="Guide" class="roles"><ul class="links">${roles.join('')}</ul></nav>
<details>
<summary>On this page</summary>
<nav aria-label="On this page"><ul class="links">${contents.join('')}</ul></nav>
</details>
</header>
<main>
${content}</main>
<footer><a href="/auth">Open the app</a></footer>
</body>
</html>
`;
}
