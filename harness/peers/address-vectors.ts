/** Hosts that are never public, in any notation; the text is enough to refuse them. */
export const NEVER_PUBLIC = {
  'private networks': ['10.0.0.5', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'link-local and shared address space': ['169.254.0.1', '169.254.255.255', '100.64.0.1', '100.127.255.255'],
  'addresses of no one machine': ['0.0.0.0', '0.1.2.3', '224.0.0.1', '239.255.255.250', '255.255.255.255'],
  'reserved addresses': [
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
  ].concat('203.0.113.9', '240.0.0.1', '254.255.255.255'),
  'metadata services': [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '169.254.42.42',
    '100.100.100.200',
  ].concat('192.0.0.192', '168.63.129.16', '[fd00:ec2::254]', '[fd00:ec2::23]', '[fd20:ce::254]', '[fe80::a9fe:a9fe]'),
  'numbers in other notations': [
    '167772165',
    '0x0a000005',
    '012.0.0.5',
    '10.5',
    '10.0.5',
    '0xa.0.0.5',
    '2852039166',
  ].concat('0xA9FEA9FE', '0251.0376.0251.0376', '169.254.43518', '00000000251.254.169.254', '0xa8.63.33040'),
  'dots and digits that are not quite': [
    '10.0.0.5.',
    '169.254.169.254.',
    '10.0.0.5..',
    '%31%30.0.0.5',
    '１０.0.0.5',
  ].concat('10。0。0。5', '169。254。169。254', '①⑥⑨.254.169.254', '10．0．0．5', '10.0.0.%35'),
  'IPv6 of no public network': [
    '[::]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[100::1]',
  ].concat('[2001:db8::1]', '[3fff::1]', '[2001:2::1]', '[2001:10::1]', '[5f00::1]', '[4000::1]'),
  'IPv4 within IPv6': [
    '[::ffff:10.0.0.5]',
    '[::ffff:a00:5]',
    '[0:0:0:0:0:ffff:a9fe:a9fe]',
    '[::10.0.0.5]',
    '[::a9fe:a9fe]',
  ]
    .concat(
      '[64:ff9b::10.0.0.5]',
      '[64:ff9b::a9fe:a9fe]',
      '[64:ff9b:1::a00:5]',
      '[2002:a00:5::1]',
      '[2002:a9fe:a9fe::]',
    )
    .concat('[2001:0:a9fe:a9fe::1]', '[::ffff:0:10.0.0.5]', '[::ffff:168.63.129.16]'),
  'names of private networks': [
    'intranet',
    'intranet.',
    'printer.local',
    'localhost.localdomain',
    'metadata.google.internal',
  ].concat('nas.home.arpa', 'wiki.corp', 'router.lan', 'db.private', 'METADATA.GOOGLE.INTERNAL.'),
};

/** This machine, in many notations: allowed only in the sandbox. */
export const LOOPBACK = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.0.0.1',
]
  .concat('017700000001', '127.0.0.1.', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]')
  .concat('localhost', 'LOCALHOST.', 'a.localhost', 'a.b.localhost.');

/** The same with characters that are invalid in an address but that some parsers accept. */
export const ODD_LOOPBACK = [
  '127。0。0。1',
  '①②⑦.0.0.1',
  '１２７.0.0.1',
  '%6c%6f%63alhost',
  '%31%32%37.0.0.1',
  'ｌocalhost',
];

/** Not an absolute http or https address, or one that disguises its host. */
export const MALFORMED = ['', ' ', '/relative', '//letting.example/', 'letting.example/hook', 'https:letting.example']
  .concat('https:///hook', 'https:/letting.example/', 'https://', 'https://#', 'https://?a', 'https://:443/')
  .concat('https://letting.example:99999/', 'https://letting.example:0/', 'https://letting.example:x/')
  .concat('https://letting.example:-1/', 'file:///etc/passwd', 'ftp://letting.example/', 'javascript:alert(1)')
  .concat('data:text/plain,x', 'gopher://127.0.0.1:6379/_', 'ws://letting.example/', 'unix:/var/run/docker.sock')
  .concat('https://me:secret@letting.example/', 'https://me@letting.example/', 'https://:secret@letting.example/')
  .concat('https://letting.example@10.0.0.5/', 'https://letting.example%00.10.0.0.5/', 'https://10.0.0.5%23@a.example/')
  .concat(
    'https:\\\\letting.example\\hook',
    'https://letting.example\\@10.0.0.5/',
    'https://10.0.0.5\\.letting.example/',
  )
  .concat(
    'https://10.0.\t0.5/',
    'https://letting.example/\n',
    'ht\ntps://letting.example/',
    ' https://letting.example/',
  )
  .concat(
    'https://letting.example/\0',
    'https://letting.example/a b',
    'https://exa mple.org/',
    'https://[fe80::1%25eth0]/',
  )
  .concat(
    'https://[::1',
    'https://[::1]:x/',
    'https://[v1.x]/',
    'https://1.2.3.4.5/',
    'https://256.1.1.1/',
    'https://0x/',
  );

/** Similar to a refused address, but public. */
export const PUBLIC = ['8.8.8.8', '9.255.255.255', '11.0.0.1', '172.15.0.1', '172.32.0.1', '192.167.1.1', '192.169.1.1']
  .concat(
    '100.63.255.255',
    '100.128.0.1',
    '126.0.0.1',
    '128.0.0.1',
    '169.253.0.1',
    '169.255.0.1',
    '168.63.129.17',
    '223.1.1.1',
  )
  .concat(
    '[2606:4700::1111]',
    '[2a00:1450:4001::1]',
    '[::ffff:8.8.8.8]',
    'letting.example',
    'LETTING.EXAMPLE.',
    'local.example',
  )
  .concat(
    'localhost.example',
    'notlocalhost.example',
    '10.0.0.5.letting.example',
    'xn--mnchen-3ya.example',
    'münchen.example',
  );
