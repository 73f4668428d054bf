package where

import (
	"reflect"

	memslotv1 "github.com/memslot/memslot/clients/go/memslot/v1"
)

// Scalar is what an attribute may be. Integers and floats compare with each other exactly, as numbers; any other two types match
// only by [NotEqual].
type Scalar interface {
	~string | ~bool | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~float32 | ~float64
}

// Value is a scalar as a message of the contract.
func Value[S Scalar](scalar S) *memslotv1.AttributeValue {
	switch value := reflect.ValueOf(scalar); {
	case value.Kind() == reflect.String:
		return &memslotv1.AttributeValue{Kind: &memslotv1.AttributeValue_StringValue{StringValue: value.String()}}
	case value.Kind() == reflect.Bool:
		return &memslotv1.AttributeValue{Kind: &memslotv1.AttributeValue_BoolValue{BoolValue: value.Bool()}}
	case value.CanFloat():
		return &memslotv1.AttributeValue{Kind: &memslotv1.AttributeValue_DoubleValue{DoubleValue: value.Float()}}
	case value.CanUint():
		return &memslotv1.AttributeValue{Kind: &memslotv1.AttributeValue_Int64Value{Int64Value: int64(value.Uint())}}
	default:
		return &memslotv1.AttributeValue{Kind: &memslotv1.AttributeValue_Int64Value{Int64Value: value.Int()}}
	}
}

// Equal demands that the attribute has this value.
func Equal[S Scalar](key string, value S) *Filter {
	return condition(key, &memslotv1.AttributeCondition{Op: &memslotv1.AttributeCondition_Eq{Eq: Value(value)}})
}

// NotEqual demands that the attribute is missing, of another type, or has another value.
func NotEqual[S Scalar](key string, value S) *Filter {
	return condition(key, &memslotv1.AttributeCondition{Op: &memslotv1.AttributeCondition_Ne{Ne: Value(value)}})
}

// Above demands that the attribute is greater.
func Above[S Scalar](key string, value S) *Filter {
	return condition(key, &memslotv1.AttributeCondition{Op: &memslotv1.AttributeCondition_Gt{Gt: Value(value)}})
}

// AtLeast demands that the attribute is greater or equal.
func AtLeast[S Scalar](key string, value S) *Filter {
	return condition(key, &memslotv1.AttributeCondition{Op: &memslotv1.AttributeCondition_Ge{Ge: Value(value)}})
}

// Below demands that the attribute is less.
func Below[S Scalar](key string, value S) *Filter {
	return condition(key, &memslotv1.AttributeCondition{Op: &memslotv1.AttributeCondition_Lt{Lt: Value(value)}})
}

// AtMost demands that the attribute is less or equal.
func AtMost[S Scalar](key string, value S) *Filter {
	return condition(key, &memslotv1.AttributeCondition{Op: &memslotv1.AttributeCondition_Le{Le: Value(value)}})
}

// OneOf demands that the attribute has one of 1 to 256 values.
func OneOf[S Scalar](key string, values ...S) *Filter {
	list := &memslotv1.AttributeValueList{}
	for _, value := range values {
		list.Values = append(list.Values, Value(value))
	}
	return condition(key, &memslotv1.AttributeCondition{Op: &memslotv1.AttributeCondition_In{In: list}})
}

// Exists demands that the attribute is there, whatever its value.
func Exists(key string) *Filter {
	return condition(key, &memslotv1.AttributeCondition{Op: &memslotv1.AttributeCondition_Exists{Exists: true}})
}

// Missing demands that the attribute is not there.
func Missing(key string) *Filter {
	return condition(key, &memslotv1.AttributeCondition{Op: &memslotv1.AttributeCondition_Exists{Exists: false}})
}

func condition(key string, message *memslotv1.AttributeCondition) *Filter {
	message.Key = key
	return &Filter{Node: &memslotv1.Filter_Attribute{Attribute: message}}
}
