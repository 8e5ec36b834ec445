// Package envoy holds the messages of Envoy's v3 API that the generators write, as
// plain structs with Envoy's YAML names. The upstream types (go-control-plane) register
// protobuf descriptors at program start, which takes longer than everything else this
// program does; so they are used in the tests instead, which decode what is written
// strictly into them and run their ValidateAll.
package envoy

// Bootstrap is the configuration file of an Envoy process.
type Bootstrap struct {
	Admin           Admin           `json:"admin"`
	StaticResources StaticResources `json:"static_resources"`
}

// Admin is the administration interface.
type Admin struct {
	Address Address `json:"address"`
}

// StaticResources are the listeners and clusters of the file.
type StaticResources struct {
	Listeners []Listener `json:"listeners"`
	Clusters  []Cluster  `json:"clusters"`
}

// Address is a host and a port.
type Address struct {
	SocketAddress SocketAddress `json:"socket_address"`
}

// SocketAddress is a host and a TCP port.
type SocketAddress struct {
	Address   string `json:"address"`
	PortValue int32  `json:"port_value"`
}

// At returns an Address.
func At(host string, port int32) Address {
	return Address{SocketAddress{Address: host, PortValue: port}}
}
