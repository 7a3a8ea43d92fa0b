export const PACKAGES: { download: number; disk: number };
