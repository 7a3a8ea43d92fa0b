// Imports go one way: portals → features → components and lib → shared; server → shared and backend; demo → server and shared; web and server never meet.

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
      { path: '^(server|demo|backend)/' },
    ),
    rule(
      'server-not-web',
      'The server serves the built web app and knows nothing of it.',
      { path: '^(server|demo)/' },
      { path: '^web/' },
    ),
    rule(
      'demo-beside-the-product',
      'Only the program itself starts the demo company.',
      { path: '^server/', pathNot: '^server/main\\.ts$' },
      { path: '^demo/' },
    ),
    rule(
      'shared-is-ground',
      'shared/ is used by both sides and uses neither.',
      { path: '^shared/', pathNot: '\\.test\\.ts$' },
      { path: '^(web|server|demo|backend|tests|scripts|bench)/' },
    ),
    rule(
      'product-not-tests',
      'The product does not know its tests.',
      { path: '^(web|server|demo|backend|shared)/', pathNot: '\\.test\\.tsx?$' },
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
      { path: '^web/features/([^/]+/[^/]+)' },
      { path: '^web/features/', pathNot: '^web/features/$1/' },
    ),
    rule(
      'components-below-features',
      'Components and lib hold no domain.',
      { path: '^web/(components|lib)/' },
      { path: '^web/(features|portals)/' },
    ),
    rule(
      'backend-not-application',
      'The backend serves any project and knows nothing of ours.',
      { path: '^backend/' },
      { path: '^(web|server|demo|shared|scripts|bench|tests|supabase)/|^company\\.config' },
    ),
    rule(
      'backend-by-its-interface',
      'The application uses what backend/package.json exports, by the name of the package.',
      { path: '^(web|server|demo|shared|scripts)/' },
      { path: '^backend/', dependencyTypesNot: ['aliased-workspace', 'npm'] },
    ),
    rule(
      'services-apart',
      'A service does not reach into another.',
      { path: '^backend/src/services/([^/]+)/' },
      { path: '^backend/src/services/', pathNot: '^backend/src/services/$1/' },
    ),
    rule(
      'ground-below-services',
      'http, database, keys, mail and sms know no service.',
      { path: '^backend/src/(http|database|keys|mail|sms|settings)/' },
      { path: '^backend/src/services/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data|node_modules|backend/tests/projects)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
