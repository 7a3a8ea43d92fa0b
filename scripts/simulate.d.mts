import type { ChildProcess } from 'node:child_process';

export function findFaketime(): string | undefined;
export function startLife(args: string[], stdio: 'inherit' | 'pipe'): ChildProcess;
