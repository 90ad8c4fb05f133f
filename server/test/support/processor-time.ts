// In charge of measuring work in processor time of its thread, since a busy machine delays the work but does not change this time.

/** Milliseconds of processor time that this thread has used so far. */
export const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
