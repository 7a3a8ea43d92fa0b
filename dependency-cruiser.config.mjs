// Imports go one way: portals → features → components and lib → shared; server → shared; web and server never meet.

const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

export default {
  forbidden: [
    rule(
      'no-circles',
      'Two files that need each other are one file, or need a third.',
      {},
      { circular: true },
    ),
    rule(
      'web-not-server',
      'The browser reaches the server over HTTP only.',
      { path: '^web/' },
      { path: '^server/' },
    ),
    rule(
      'server-not-web',
      'The server serves the built web app and knows nothing of it.',
      { path: '^server/' },
      { path: '^web/' },
    ),
    rule(
      'shared-is-ground',
      'shared/ is used by both sides and uses neither.',
      { path: '^shared/' },
      { path: '^(web|server|tests|scripts|bench)/' },
    ),
    rule(
      'product-not-tests',
      'The product does not know its tests.',
      { path: '^(web|server|shared)/', pathNot: '\\.test\\.tsx?$' },
      { path: '^(tests|bench|scripts)/' },
    ),
    rule(
      'features-not-portals',
      'Portals compose features, never the other way.',
      { path: '^web/features/' },
      { path: '^web/portals/' },
    ),
    rule(
      'features-apart',
      'A feature does not reach into another; what they share goes to components or lib.',
      { path: '^web/features/([^/]+)/' },
      { path: '^web/features/', pathNot: '^web/features/$1/' },
    ),
    rule(
      'components-below-features',
      'Components and lib hold no domain.',
      { path: '^web/(components|lib)/' },
      { path: '^web/(features|portals)/' },
    ),
    rule(
      'services-apart',
      'A service does not reach into another.',
      { path: '^server/services/([^/]+)/' },
      { path: '^server/services/', pathNot: '^server/services/$1/' },
    ),
    rule(
      'ground-below-services',
      'http, database and keys know no service.',
      { path: '^server/(http|database|keys|mail)/' },
      { path: '^server/services/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data|node_modules|tests/projects)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
