import type { ChildProcess } from 'node:child_process';

export function findFaketime(): string | undefined;
export function newClock(): { folder: string; file: string; env: NodeJS.ProcessEnv };
export function startLife(args: string[], stdio: 'inherit' | 'pipe'): ChildProcess;
