// Zod would compile its checks, and the content security policy forbids code made from strings. The setting is where Zod looks for
// it when it loads, because the sign-in screen doesn't load Zod.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

export {};
