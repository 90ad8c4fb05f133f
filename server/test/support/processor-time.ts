// In charge of measuring work by the processor time of the thread that does it: a busy machine delays work, but does not change
// this time.

/** Milliseconds of processor time that this thread has used so far. */
export const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
