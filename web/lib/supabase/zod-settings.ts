// Zod would compile its checks, and the content security policy forbids code made from strings. The setting is where Zod looks for
// it when it loads, because the sign-in screen doesn't load Zod.
declare global {
  var __zod_globalConfig: { jitless?: boolean } | undefined;
}

globalThis.__zod_globalConfig = Object.assign(globalThis.__zod_globalConfig ?? {}, {
  jitless: true,
});

export {};
