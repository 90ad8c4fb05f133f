// In charge of finding a real S3 server for tests on this machine: Ceph's gateway and the programs that it needs.
import { existsSync } from 'node:fs'

export const findS3 = (): boolean =>
  ['radosgw', 'radosgw-admin', 'ceph', 'ceph-mon', 'ceph-osd', 'monmaptool'].every((program) =>
    existsSync(`/usr/bin/${program}`),
  )
