// In charge of finding a real S3 server for tests on this machine: the S3 gateway of Ceph, and the programs that the gateway needs.
import { existsSync } from 'node:fs'

export const findS3 = (): boolean =>
  ['radosgw', 'radosgw-admin', 'ceph', 'ceph-mon', 'ceph-osd', 'monmaptool'].every((program) =>
    existsSync(`/usr/bin/${program}`),
  )
