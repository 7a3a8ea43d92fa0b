// A part of a screen whose file is loaded when it is asked for. When it can't be had, the rest of the screen stays.
import { Component, type ReactNode, Suspense } from 'react';
import { isMissingFile } from '#web/lib/errors/missing-file.ts';
import { retryAtNextMount } from '#web/lib/render/lazily.tsx';
import { MissingFileNotice } from './missing-file.tsx';

type LazyPartProps = {
  /** Shown while the file is loaded. */
  fallback?: ReactNode;
  /** Stands in its place where it can't be had. */
  instead?: ReactNode;
  /** Closes what was asked for. With it a failure is told at the foot of the screen, else in the part's own place. */
  onClose?: () => void;
  children: ReactNode;
};

export class LazyPart extends Component<LazyPartProps, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    retryAtNextMount(error);
  }

  override render() {
    const { fallback, instead, onClose, children } = this.props;
    const { error } = this.state;
    if (error === undefined) return <Suspense fallback={fallback}>{children}</Suspense>;
    if (!isMissingFile(error)) throw error;
    return (
      <>
        {instead}
        <MissingFileNotice error={error} onClose={onClose} />
      </>
    );
  }
}
