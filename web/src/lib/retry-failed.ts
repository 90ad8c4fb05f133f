// In charge of trying again after a page could not load everything it needs: only what failed is read again.

type Read = { isError: boolean; refetch: () => unknown }

export function retryFailed(...reads: readonly Read[]): void {
  for (const read of reads) if (read.isError) read.refetch()
}
