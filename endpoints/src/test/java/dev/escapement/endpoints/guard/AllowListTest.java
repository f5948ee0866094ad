package dev.escapement.endpoints.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllowListTest {

    private static boolean isAllowed(String list, String host, int port, String address) {
        return AllowList.parse(list)
                .findDenial(host, port, AddressParser.parse(address).orElseThrow())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "10.0.0.0/8; 10.0.0.0/8; a.test; 80; 10.255.1.1",
                "one address; 10.1.2.3; a.test; 80; 10.1.2.3",
                "odd prefix; 10.128.0.0/9; a.test; 80; 10.200.0.1",
                "one port; 10.0.0.0/8:8080; a.test; 8080; 10.0.0.1",
                "IPv6; ::1/128; a.test; 80; ::1",
                "IPv6 address; fd00::1; a.test; 80; fd00::1",
                "IPv6 with port; [fd00::/8]:8080; a.test; 8080; fd12::1",
                "a name; intranet.example; intranet.example; 80; 10.0.0.1",
                "a name with port; intranet.example:8080; INTRANET.example; 8080; 10.0.0.1",
                "names below; *.svc.example; a.b.svc.example; 80; 10.0.0.1",
                "the second; 192.168.0.0/16 , 10.0.0.0/8; a.test; 80; 10.0.0.1",
                "all of IPv4; 0.0.0.0/0; a.test; 80; 169.254.1.1",
                "metadata by address; 169.254.169.254; a.test; 80; 169.254.169.254",
                "metadata by a block of one; 169.254.169.254/32; a.test; 80; 169.254.169.254",
                "a translator's block; 64:ff9b::/96; a.test; 80; 64:ff9b::10.0.0.1",
                "a translator by name; *.svc.example; a.svc.example; 80; 64:ff9b::10.0.0.1",
                "a translator of one's own; 64:ff9b:1::/48; a.test; 80; 64:ff9b:1::10.0.0.1",
                "a translator of one's own, short prefix; 64:ff9b:1::/48; a.test; 80; 64:ff9b:1:a00:0:100::",
                "6to4; 2002::/16; a.test; 80; 2002:a00:1::",
                "metadata behind a translator, by its very address; 64:ff9b::a9fe:a9fe; a.test; 80; 64:ff9b::a9fe:a9fe",
                "metadata of IPv6; fd00:ec2::254; a.test; 80; fd00:ec2::254",
            })
    void entryAllowsMatchingAddress(String why, String list, String host, int port, String address) {
        assertThat(isAllowed(list, host, port, address)).as(why).isTrue();
        assertThat(isAllowed("", host, port, address)).as("without it").isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "another block; 11.0.0.0/8; a.test; 80; 10.0.0.1",
                "another address; 10.1.2.3; a.test; 80; 10.1.2.4",
                "outside an odd prefix; 10.128.0.0/9; a.test; 80; 10.127.255.255",
                "another port; 10.0.0.0/8:8080; a.test; 80; 10.0.0.1",
                "another family; 0.0.0.0/0; a.test; 80; ::1",
                "another name; intranet.example; intranet.example.evil.test; 80; 10.0.0.1",
                "a longer name; intranet.example; xintranet.example; 80; 10.0.0.1",
                "not below; *.svc.example; svc.example; 80; 10.0.0.1",
                "not below either; *.svc.example; xsvc.example; 80; 10.0.0.1",
                "metadata by name; intranet.example; intranet.example; 80; 169.254.169.254",
                "metadata by a block; 0.0.0.0/0; a.test; 80; 169.254.169.254",
                "metadata by a link's block; 169.254.0.0/16; a.test; 80; 169.254.169.254",
                "metadata by a carrier's block; 100.64.0.0/10; a.test; 80; 100.100.100.200",
                "metadata by a private block; fd00::/8; a.test; 80; fd00:ec2::254",
                "metadata of Google Cloud; fd00::/8; a.test; 80; fd20:ce::254",
                "metadata of OpenStack; fe80::/10; a.test; 80; fe80::a9fe:a9fe",
                "metadata of Oracle; fc00::/7; a.test; 80; fd00:c1::a9fe:a9fe",
                "metadata of Akamai; fc00::/7; a.test; 80; fd00:a9fe:a9fe::1",
                "metadata of Scaleway; fd00:42::/32; a.test; 80; fd00:42::42",
                "metadata of Tencent; 169.254.0.0/16; a.test; 80; 169.254.0.23",
                "credentials of containers; 169.254.170.0/24; a.test; 80; 169.254.170.23",
                "metadata of GKE; 169.254.169.0/24; a.test; 988; 169.254.169.252",
                "metadata behind a translator by name; *.svc.example; a.svc.example; 80; 64:ff9b::a9fe:a9fe",
                "metadata behind a translator by a block; 64:ff9b::/96; a.test; 80; 64:ff9b::169.254.169.254",
                "another metadata behind a translator; ::/0; a.test; 80; 64:ff9b::100.100.100.200",
                "metadata behind one's own translator /96; 64:ff9b:1::/48; a.test; 80; 64:ff9b:1::a9fe:a9fe",
                "metadata behind one's own translator /64; 64:ff9b:1::/48; a.test; 80; 64:ff9b:1:0:a9:fea9:fe00:0",
                "metadata behind one's own translator /56; 64:ff9b:1::/48; a.test; 80; 64:ff9b:1:a9:fe:a9fe::",
                "metadata behind one's own translator /48; 64:ff9b:1::/48; a.test; 80; 64:ff9b:1:a9fe:a9:fe00::",
                "metadata behind 6to4 by name; *.svc.example; a.svc.example; 80; 2002:a9fe:a9fe::",
                "metadata behind 6to4 by a block; 2002::/16; a.test; 80; 2002:a9fe:a9fe:1::7",
                "metadata behind Teredo; 2001::/32; a.test; 80; 2001:0:4136:e378:8000:63bf:5601:5601",
                "metadata as IPv4-compatible; ::/96; a.test; 80; ::a9fe:a9fe",
                "metadata as IPv4-translated; ::/0; a.test; 80; ::ffff:0:a9fe:a9fe",
                "multicast behind a translator; 64:ff9b::/96; a.test; 80; 64:ff9b::224.0.0.1",
                "broadcast behind 6to4; 2002::/16; a.test; 80; 2002:ffff:ffff::",
                "unspecified behind a translator, by its very address; 64:ff9b::; a.test; 80; 64:ff9b::",
                "unspecified; 0.0.0.0/0; a.test; 80; 0.0.0.0",
                "broadcast; 0.0.0.0/0; a.test; 80; 255.255.255.255",
                "multicast; 0.0.0.0/0; a.test; 80; 224.0.0.1",
                "IPv6 multicast; ::/0; a.test; 80; ff02::1",
                "multicast by name; a.test; a.test; 80; 224.0.0.1",
            })
    void entryAllowsNothingElse(String why, String list, String host, int port, String address) {
        assertThat(isAllowed(list, host, port, address)).as(why).isFalse();
    }

    @Test
    void classifiesMappedAddressByItsIpv4Address() throws UnknownHostException {
        byte[] bytes = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, (byte) 169, (byte) 254, (byte) 169, (byte) 254};
        InetAddress mapped = Inet6Address.getByAddress("", bytes, -1);

        assertThat(AllowList.parse("intranet.example").findDenial("intranet.example", 80, mapped))
                .contains(AddressKind.METADATA);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0/33",
                "10.0.0.0/",
                "10.0.0.0/-1",
                "10.0.0.1/8",
                "fd00::1/8",
                "300.0.0.1",
                "10.1",
                "0x7f.1",
                "2130706433",
                "*",
                "*.",
                "*.*.example",
                "a.*.example",
                "exa mple",
                "intranet.example.",
                "http://intranet.example",
                "intranet.example/path",
                "intranet.example:0",
                "intranet.example:65536",
                "intranet.example:http",
                "[::1",
                "[::1]x",
                "fe80::1%eth0",
                "::1:8080",
                "::ffff:10.0.0.1",
                "bücher.example",
                "10.0.0.0/8,,10.1.0.0/16",
            })
    void refusesInvalidEntry(String list) {
        assertThatThrownBy(() -> AllowList.parse(list))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("endpoints.allow: entry '")
                .hasMessageContaining("entries are like");
    }

    @Test
    void suggestsNetworkAddressForRangeWithHostBits() {
        assertThatThrownBy(() -> AllowList.parse("10.1.2.3/8")).hasMessageContaining("did you mean 10.0.0.0/8?");
    }

    @Test
    void printsEntriesAsWritten() {
        assertThat(AllowList.parse(" 10.0.0.0/8 ,a.test:80 ")).hasToString("10.0.0.0/8,a.test:80");
        assertThat(AllowList.parse(" ")).hasToString("");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "11.0.0.1",
                "9.255.255.255",
                "126.255.255.255",
                "128.0.0.1",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.255.255",
                "192.169.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "169.253.255.255",
                "169.255.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "2606:4700:4700::1111",
                "2a00:1450:4001::1",
                "2003::1",
            })
    void allowsPublicAddressesWithoutEntry(String address) {
        assertThat(AllowList.parse("")
                        .findDenial("a.test", 80, AddressParser.parse(address).orElseThrow()))
                .isEmpty();
    }

    @Test
    void saysWhatAnAmbiguousEntryCanMean() {
        assertThatThrownBy(() -> AllowList.parse("10.0.0.1, ::1:8080"))
                .hasMessageContaining("entry '::1:8080': it is either an IPv6 address or one with a port;"
                        + " write [::1:8080] for the address, or [::1]:8080 for the port");
        assertThat(isAllowed("[::1]:8080", "::1", 8080, "::1")).isTrue();
        assertThat(isAllowed("[fd00::1:8080]", "a.test", 80, "fd00::1:8080")).isTrue();
        assertThat(isAllowed("fd00:ec2::254", "a.test", 80, "fd00:ec2::254")).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a block; 127.0.0.0/8; 127.0.0.1; false",
                "the address; 127.0.0.1; 127.0.0.1; false",
                "a name; localhost; 127.0.0.1; false",
                "another port; 127.0.0.1:9000; 127.0.0.1; false",
                "another loopback address; 127.0.0.0/8; 127.5.5.5; false",
                "IPv6; ::1; ::1; false",
                "the port; 127.0.0.0/8:8484; 127.0.0.1; true",
                "the port by name; localhost:8484; 127.0.0.1; true",
                "the port of IPv6; [::1]:8484; ::1; true",
            })
    void ownPortNeedsAnEntryForIt(String why, String list, String address, boolean allowed) {
        AllowList own = AllowList.parse(list).withOwnPort(() -> 8484);
        InetAddress called = AddressParser.parse(address).orElseThrow();
        assertThat(own.findDenial("localhost", 8484, called).isEmpty()).as(why).isEqualTo(allowed);
        assertThat(AllowList.parse(list)
                        .withOwnPort(() -> 8485)
                        .findDenial("localhost", 8484, called)
                        .isEmpty())
                .as(why + ", if it is the port of another program")
                .isEqualTo(!list.endsWith(":9000"));
    }

    @Test
    void ownPortIsDeniedOnEveryAddressOfThisMachine() throws SocketException {
        AllowList own = AllowList.parse("0.0.0.0/0, ::/0").withOwnPort(() -> 8484);
        List<InetAddress> addresses = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .toList();
        assertThat(addresses).isNotEmpty().allSatisfy(address -> {
            assertThat(own.findDenial("a.test", 8484, address)).contains(AddressKind.THIS_SERVER);
            assertThat(own.findDenial("a.test", 8485, address)).isEmpty();
        });
        assertThat(own.findDenial(
                        "a.test", 8484, AddressParser.parse("192.0.2.1").orElseThrow()))
                .as("another machine")
                .isEmpty();
        assertThat(AddressKind.THIS_SERVER.describeDenial("a.test"))
                .isEqualTo("a.test resolves to this server itself, which is not called by default (THIS_SERVER); an"
                        + " operator can allow it with an entry for its port in the setting endpoints.allow");
    }
}
